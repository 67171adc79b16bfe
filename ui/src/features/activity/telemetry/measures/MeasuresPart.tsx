import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { useId } from "react";
import { Failed } from "../../../../components/States";
import { ROW, Table } from "../../../../components/Table";
import { useNow } from "../../../../components/Time";
import { type I18n, useI18n } from "../../../../i18n/i18n";
import type { MetricSeriesView } from "../../../../ipc/bindings.gen";
import { agentMetricsQuery } from "../../../../ipc/queries";
import { Loading } from "../../Loading";
import { useView } from "../../view";
import { DayPlot } from "./DayPlot";
import { type DayValue, daysBack, noonOf } from "./days";

const STANDARD = ["refusals", "empty_searches", "accepted_proposals", "recall_tests_green"] as const;

/** A measure of every workspace in words; a defined one names itself. */
function nameOf({ metric, name }: MetricSeriesView, t: I18n["t"]): string {
  const known = STANDARD.find((it) => it === metric);
  return known ? t(`telemetry.measure.name.${known}`) : name;
}

/** Every measure by day, as plots with the same in a table for those who do not see them, or as numbers. */
export function MeasuresPart() {
  const { t } = useI18n();
  const { view } = useView();
  const days = view.days ?? 30;
  const now = useNow();
  const { data, error, refetch, isPending } = useQuery(agentMetricsQuery(days));
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Loading height={132} />;
  return (
    <section
      aria-label={t("telemetry.part.measures")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached from the keyboard
      tabIndex={0}
      className="focus-inset min-h-0 flex-1 overflow-y-auto overscroll-contain"
    >
      <div className="max-w-270 px-4 pt-6 pb-16">
        <p className="max-w-[60ch] text-lead text-pretty text-ink-2">{t("telemetry.measure.body")}</p>
        <div className="mt-6 grid gap-x-10 gap-y-8 md:grid-cols-2">
          {data?.map((series) => (
            <Measure
              key={series.metric}
              series={series}
              days={daysBack(series.values, days, now)}
              asNumbers={view.numbers ?? false}
            />
          ))}
        </div>
      </div>
    </section>
  );
}

type MeasureProps = { series: MetricSeriesView; days: readonly DayValue[]; asNumbers: boolean };

function Measure({ series, days, asNumbers }: MeasureProps) {
  const { t, number, shortDate } = useI18n();
  const id = useId();
  const name = nameOf(series, t);
  const figure = (value: number) => number(value, { maximumFractionDigits: 1 });
  const known = days.flatMap(({ day, value }) => (value === null ? [] : [{ day, value }]));
  const latest = known.at(-1);
  const values = known.map((it) => it.value);
  const label = t("telemetry.measure.plot", {
    name,
    days: days.length,
    count: known.length,
    least: known.length > 0 ? figure(Math.min(...values)) : "",
    most: known.length > 0 ? figure(Math.max(...values)) : "",
  });
  return (
    <section aria-labelledby={id} className="relative min-w-0">
      <header className="mb-2 flex items-baseline justify-between gap-x-4">
        <h2 id={id} className="min-w-0 text-ui font-strong wrap-anywhere text-ink">
          {name}
          {series.defined && (
            <span className="ml-2 text-meta font-normal text-ink-3">{t("telemetry.measure.defined")}</span>
          )}
        </h2>
        <span className={clsx("tabular shrink-0 text-meta text-ink-2", !asNumbers && "mr-12")}>
          {latest
            ? t("telemetry.measure.latest", {
                value: figure(latest.value),
                day: shortDate(noonOf(latest.day)),
              })
            : t("telemetry.measure.noValue")}
        </span>
      </header>
      {!asNumbers && <DayPlot label={label} days={days} />}
      {known.length > 0 && (
        <Table
          caption={t("telemetry.measure.table", { name })}
          className={asNumbers ? "w-full" : "sr-only"}
          columns={[
            { label: t("telemetry.measure.day") },
            { label: t("telemetry.measure.value"), end: true },
          ]}
        >
          {known.toReversed().map(({ day, value }) => (
            <tr key={day} className={ROW}>
              <th scope="row" className="text-left font-normal text-ink">
                {shortDate(noonOf(day))}
              </th>
              <td className="text-right text-ink">{figure(value)}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
