import { ScoreParts } from "../../../components/ScoreParts";
import { useI18n } from "../../../i18n/i18n";
import type { SearchHit } from "../../../ipc/bindings.gen";
import { Section } from "./Section";

/** Says in words, and then in numbers that add up, why a search brought this memory. */
export function Why({ hit }: { hit: SearchHit }) {
  const { t, number, list } = useI18n();
  const { contributions, matchedTerms, relevance, retention, frequencyBoost, hoursIdle } = hit.explanation;
  const two = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const days = Math.floor(hoursIdle / 24);
  return (
    <Section title={t("why.title")}>
      <div className="max-w-md">
        {/* The raw figure of nearness is minus the distance of the tier: 0 is the nearest. */}
        <p className="text-ui text-pretty text-ink">
          {contributions
            .map((part) =>
              t(`why.${part.list}`, {
                rank: part.list === "nearness" ? 1 - Math.round(part.raw) : part.rank,
              }),
            )
            .join(" ")}
        </p>
        {matchedTerms.length > 0 && (
          <p className="mt-1 text-ui text-ink-2">
            {t("why.terms", { terms: list(matchedTerms.map((it) => `“${it}”`)) })}
          </p>
        )}
        <ScoreParts parts={contributions} score={hit.score} />
        <p className="tabular mt-2 text-meta text-pretty text-ink-2">
          {t("why.relevance", {
            relevance: number(relevance, two),
            importance: number(hit.row.importance, two),
            retention: number(retention, two),
            boost: number(frequencyBoost, two),
          })}
          {". "}
          {days >= 2 ? t("why.idleDays", { days }) : t("why.idle", { hours: Math.floor(hoursIdle) })}
        </p>
      </div>
    </Section>
  );
}
