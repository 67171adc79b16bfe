import { diffWordsWithSpace } from "diff";
import { useMemo } from "react";
import { useI18n } from "../i18n/i18n";

/** What changed between two texts, word by word. Colour, line and a spoken word mark each change. */
export function WordDiff({ before, after }: { before: string; after: string }) {
  const { t } = useI18n();
  const parts = useMemo(() => {
    let at = 0;
    return diffWordsWithSpace(before, after).map((part) => {
      const keyed = { ...part, at };
      at += part.value.length;
      return keyed;
    });
  }, [before, after]);
  return (
    <p className="memory-prose text-snippet! whitespace-pre-wrap">
      {parts.map((part) => {
        if (part.added) {
          return (
            <ins key={`${part.at}+`} className="rounded-sm bg-added decoration-1 underline-offset-3">
              <span className="sr-only">{t("diff.added")} </span>
              {part.value}
            </ins>
          );
        }
        if (part.removed) {
          return (
            <del key={`${part.at}-`} className="rounded-sm bg-removed decoration-1">
              <span className="sr-only">{t("diff.removed")} </span>
              {part.value}
            </del>
          );
        }
        return <span key={part.at}>{part.value}</span>;
      })}
    </p>
  );
}
