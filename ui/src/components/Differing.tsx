import { useMemo } from "react";
import { useI18n } from "../i18n/i18n";
import { joined, wordParts } from "./words";

/** A text with the words marked that another one does not have. */
export function Differing({ text, other }: { text: string; other: string }) {
  const { t } = useI18n();
  const parts = useMemo(() => joined(wordParts(other, text).filter((part) => !part.removed)), [text, other]);
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
          <span key={part.at}>{part.value}</span>
        ),
      )}
    </p>
  );
}
