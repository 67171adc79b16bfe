import { useCallback, useMemo } from "react";
import type uPlot from "uplot";
import Chart, { type Colors } from "../../components/Chart";
import { useI18n } from "../../i18n/i18n";
import type { Scope, TierCurve } from "../../ipc/bindings.gen";
import { DASH } from "./dash";

export default function Curves({ tiers }: { tiers: TierCurve[] }) {
  const { t, number } = useI18n();
  const data = useMemo(
    () =>
      [
        Array.from({ length: tiers[0]?.points.length ?? 0 }, (_, day) => day),
        ...tiers.map((it) => it.points),
      ] as uPlot.AlignedData,
    [tiers],
  );
  const scopes = tiers.map((it) => it.scope).join();
  const axis = t("settings.decay.axisDays");
  const options = useCallback(
    (colors: Colors): Omit<uPlot.Options, "width" | "height"> => {
      const ink = colors("ink-3");
      const font = "11px Inter Variable";
      return {
        padding: [8, 8, 0, 0],
        cursor: { show: false },
        scales: { x: { time: false }, y: { range: [0, 1] } },
        axes: [
          {
            stroke: ink,
            grid: { show: false },
            ticks: { show: false },
            font,
            size: 28,
            label: axis,
            labelFont: font,
            labelSize: 20,
            values: (_u, splits) => splits.map((day) => number(day)),
          },
          {
            stroke: ink,
            grid: { stroke: colors("line"), width: 1 },
            ticks: { show: false },
            font,
            size: 44,
            values: (_u, splits) => splits.map((share) => number(share, { style: "percent" })),
          },
        ],
        series: [
          {},
          ...(scopes.split(",") as Scope[]).map((scope) => ({
            stroke: colors(`tier-${scope}`),
            width: 2,
            dash: DASH[scope],
            points: { show: false },
          })),
        ],
      };
    },
    [scopes, axis, number],
  );
  return <Chart label={t("settings.decay.chart")} data={data} height={200} options={options} />;
}
