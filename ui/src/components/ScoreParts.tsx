import { clsx } from "clsx";
import { useI18n } from "../i18n/i18n";
import type { Contribution, ListName } from "../ipc/bindings.gen";

/** One ink in five strengths: the parts differ by name and length, not by hue. */
const TINT: Record<ListName, string> = {
  name: "bg-accent-strong",
  text: "bg-accent",
  meaning: "bg-accent/70",
  word_meaning: "bg-accent/70",
  freshness: "bg-accent/45",
  nearness: "bg-accent/25",
  around_text: "bg-accent/85",
  around_meaning: "bg-accent/55",
  speaker: "bg-accent/35",
  date: "bg-accent/35",
  days: "bg-accent/60",
  length: "bg-accent/20",
  person: "bg-accent/15",
  answer: "bg-accent/45",
  statement: "bg-accent/10",
};

/** What each list gave, in numbers that add up to the score. */
export function ScoreParts({ parts, score }: { parts: Contribution[]; score: number }) {
  const { t, number } = useI18n();
  const four = { minimumFractionDigits: 4, maximumFractionDigits: 4 };
  return (
    <>
      <div aria-hidden className="mt-3 flex h-2 gap-px overflow-hidden rounded-sm">
        {parts.map((part) => (
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
          {parts.map((part) => (
            <tr key={part.list} className="h-6">
              <th scope="row" className="text-left font-normal text-ink">
                <span
                  aria-hidden
                  className={clsx("mr-2 inline-block size-2 rounded-full", TINT[part.list])}
                />
                {t(`why.list.${part.list}`)}
              </th>
              <td className="text-right">{number(part.rank)}</td>
              <td className="text-right">
                {number(score > 0 ? part.score / score : 0, { style: "percent" })}
              </td>
              <td className="w-16 text-right">{number(part.score, four)}</td>
            </tr>
          ))}
          <tr className="h-6 border-t border-line">
            <th scope="row" className="text-left font-normal text-ink" title={t("why.adds")}>
              {t("why.total")}
            </th>
            <td />
            <td />
            <td className="text-right text-ink">{number(score, four)}</td>
          </tr>
        </tbody>
      </table>
    </>
  );
}
