import { type ReactNode, useMemo } from "react";
import { useI18n } from "../i18n/i18n";
import { visible } from "./visible";
import { wordParts } from "./words";

type WordDiffProps = {
  before: string;
  after: string;
  /** Words among the removed and the added ones that want a second look. */
  lost?: readonly string[];
  added?: readonly string[];
};

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The words of a list set off by weight and a double line, wherever they stand in a text. */
function setOff(text: string, words: readonly string[]): ReactNode {
  const wanted = words.filter((it) => it !== "");
  if (wanted.length === 0) return text;
  let at = 0;
  return text.split(new RegExp(`(${wanted.map(escaped).join("|")})`, "gi")).map((piece, n) => {
    const key = at;
    at += piece.length;
    return n % 2 === 1 ? (
      <strong key={key} className="font-[650] underline decoration-double decoration-1 underline-offset-3">
        {piece}
      </strong>
    ) : (
      piece
    );
  });
}

/** What changed between two texts, word by word. Colour, line and a spoken word mark each change. */
export function WordDiff({ before, after, lost = [], added = [] }: WordDiffProps) {
  const { t } = useI18n();
  const parts = useMemo(() => wordParts(visible(before), visible(after)), [before, after]);
  return (
    <p className="memory-prose text-snippet! whitespace-pre-wrap">
      {parts.map((part) => {
        if (part.added) {
          return (
            <ins key={`${part.at}+`} className="rounded-sm bg-added decoration-1 underline-offset-3">
              <span className="sr-only">{t("diff.added")} </span>
              {setOff(part.value, added)}
            </ins>
          );
        }
        if (part.removed) {
          return (
            <del key={`${part.at}-`} className="mr-px rounded-sm bg-removed decoration-1">
              <span className="sr-only">{t("diff.removed")} </span>
              {setOff(part.value, lost)}
            </del>
          );
        }
        return <span key={part.at}>{part.value}</span>;
      })}
    </p>
  );
}
