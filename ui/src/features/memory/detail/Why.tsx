import { clsx } from "clsx";
import { useI18n } from "../../../i18n/i18n";
import type { ListName, SearchHit } from "../../../ipc/bindings.gen";
import { Section } from "./Section";

/** One ink in five strengths: the parts differ by name and length, not by hue. */
const TINT: Record<ListName, string> = {
  name: "bg-accent-strong",
  text: "bg-accent",
  meaning: "bg-accent/70",
  freshness: "bg-accent/45",
  nearness: "bg-accent/25",
};

/** Says in words, and then in numbers that add up, why a search brought this memory. */
export function Why({ hit }: { hit: SearchHit }) {
  const { t, number, list } = useI18n();
  const { contributions, matchedTerms, relevance, retention, frequencyBoost, hoursIdle } = hit.explanation;
  const two = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const four = { minimumFractionDigits: 4, maximumFractionDigits: 4 };
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
        <div aria-hidden className="mt-3 flex h-2 gap-px overflow-hidden rounded-sm">
          {contributions.map((part) => (
            <span
              key={part.list}
              className={clsx("h-2", TINT[part.list])}
              style={{ flexGrow: part.score * 10_000 }}
            />
          ))}
        </div>
        <table className="tabular mt-2 w-full text-meta text-ink-2">
          <thead className="text-ink-3">
            <tr className="h-6 [&>th]:font-normal">
              <th scope="col" className="text-left">
                {t("why.part")}
              </th>
              <th scope="col" className="text-right">
                {t("why.rank")}
              </th>
              <th scope="col" className="text-right">
                {t("why.share")}
              </th>
              <th scope="col" className="text-right">
                {t("why.score")}
              </th>
            </tr>
          </thead>
          <tbody>
            {contributions.map((part) => (
              <tr key={part.list} className="h-6">
                <th scope="row" className="text-left font-normal text-ink">
                  <span
                    aria-hidden
                    className={clsx("mr-2 inline-block size-2 rounded-full", TINT[part.list])}
                  />
                  {t(`why.list.${part.list}`)}
                </th>
                <td className="text-right">{number(part.rank)}</td>
                <td className="text-right">{number(part.score / hit.score, { style: "percent" })}</td>
                <td className="w-16 text-right">{number(part.score, four)}</td>
              </tr>
            ))}
            <tr className="h-6 border-t border-line">
              <th scope="row" className="text-left font-normal text-ink" title={t("why.adds")}>
                {t("why.total")}
              </th>
              <td />
              <td />
              <td className="text-right text-ink">{number(hit.score, four)}</td>
            </tr>
          </tbody>
        </table>
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
