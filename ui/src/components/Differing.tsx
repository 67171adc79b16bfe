import { useMemo } from "react";
import { useI18n } from "../i18n/i18n";
import { NamedText } from "./names/NameLink";
import { joined, type WordPart, wordParts } from "./words";

/** The words of a text, those marked as added that another one does not have. `at` is where the text begins. */
const differing = (text: string, other: string, at = 0): WordPart[] =>
  joined(wordParts(other, text).filter((part) => !part.removed)).map((part, n) => ({ ...part, at: at + n }));

/** The same, with marks in these parts of the text alone. */
function differingWithin(text: string, other: string, within: readonly string[]): WordPart[] {
  const parts: WordPart[] = [];
  const plain = (from: number, to: number) => {
    if (from < to) parts.push({ value: text.slice(from, to), added: false, removed: false, at: from });
  };
  let end = 0;
  for (const part of within) {
    const from = text.indexOf(part, end);
    if (from < 0) continue;
    plain(end, from);
    parts.push(...differing(part, other, from));
    end = from + part.length;
  }
  plain(end, text.length);
  return parts;
}

type DifferingProps = {
  text: string;
  other: string;
  /** The parts of the text that are compared, in their order; all of it without them. */
  within?: readonly string[];
};

/** A text with the words marked that another one does not have. */
export function Differing({ text, other, within }: DifferingProps) {
  const { t } = useI18n();
  const parts = useMemo(
    () => (within ? differingWithin(text, other, within) : differing(text, other)),
    [text, other, within],
  );
  return (
    <p className="memory-prose text-snippet! whitespace-pre-wrap">
      {parts.map((part) =>
        part.added && part.value.trim() !== "" ? (
          <mark
            key={part.at}
            className="rounded-sm bg-mark text-mark-ink underline decoration-1 underline-offset-3"
          >
            <span className="sr-only">{t("diff.differs")} </span>
            {part.value}
          </mark>
        ) : (
          <span key={part.at}>
            <NamedText text={part.value} />
          </span>
        ),
      )}
    </p>
  );
}
