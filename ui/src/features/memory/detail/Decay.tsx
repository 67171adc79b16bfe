import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useMemo } from "react";
import type uPlot from "uplot";
import type { Colors } from "../../../components/Chart";
import { Failed } from "../../../components/States";
import { useI18n } from "../../../i18n/i18n";
import type { DecayCurve } from "../../../ipc/bindings.gen";
import { curveQuery } from "../../../ipc/queries";
import { rem, zoomFactor } from "../../../preferences/zoom";
import { Section } from "./Section";

const Chart = lazy(() => import("../../../components/Chart"));
const HEIGHT = 120;

/** The past solid, the future dashed, a dot for now. What is forgotten takes no further part: it says so, and no more. */
export function Decay({ id, pinned, forgotten }: { id: string; pinned: boolean; forgotten: boolean }) {
  const { t } = useI18n();
  const { data, error, refetch } = useQuery({ ...curveQuery(id), enabled: !forgotten });
  return (
    <Section title={t("decay.title")}>
      {forgotten ? (
        <p className="text-ui text-pretty text-ink">{t("decay.forgotten")}</p>
      ) : error && !data ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Curve curve={data} pinned={pinned} />
      ) : (
        <div className="skeleton" style={{ height: rem(HEIGHT) }} />
      )}
    </Section>
  );
}

function useFades(curve: DecayCurve, pinned: boolean): string {
  const { t, date } = useI18n();
  if (curve.exempt === "of_author") return t("decay.exempt.author");
  if (curve.exempt) return t(pinned ? "decay.exempt.pinned" : "decay.exempt.named");
  if (curve.ratePerHour === null) return t("decay.never");
  if (!curve.fadesAt) return t("decay.never");
  return Date.parse(curve.fadesAt) <= Date.now()
    ? t("decay.fadesGone")
    : t("decay.fades", { date: date(curve.fadesAt) });
}

function Curve({ curve, pinned }: { curve: DecayCurve; pinned: boolean }) {
  const { t, number, shortDate } = useI18n();
  const fades = useFades(curve, pinned);
  const now = number(curve.now, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

  const { data, nowAt } = useMemo(() => {
    const at = Date.now() / 1000;
    const xs = curve.points.map((point) => Date.parse(point.at) / 1000);
    const ys = curve.points.map((point) => point.relevance);
    const split = xs.findIndex((x) => x >= at);
    const edge = split < 0 ? xs.length : split;
    xs.splice(edge, 0, at);
    ys.splice(edge, 0, curve.now);
    const past = ys.map((y, i) => (i <= edge ? y : null));
    const future = ys.map((y, i) => (i >= edge ? y : null));
    return { data: [xs, past, future] as uPlot.AlignedData, nowAt: at };
  }, [curve]);

  const label = t("decay.nowMark");
  const options = useCallback(
    (colors: Colors): Omit<uPlot.Options, "width" | "height"> => {
      const ink = colors("ink-3");
      const accent = colors("accent");
      return {
        padding: [16, 24, 0, 0],
        cursor: { show: false },
        scales: { x: { time: true }, y: { range: (_u, _min, max) => [0, Math.max(0.1, max * 1.1)] } },
        axes: [
          {
            stroke: ink,
            grid: { show: false },
            ticks: { show: false },
            font: "11px Inter Variable",
            size: 24,
            space: 64,
            values: (_u, splits) => splits.map((split) => shortDate(split * 1000)),
          },
          {
            stroke: ink,
            grid: { stroke: colors("line"), width: 1 },
            ticks: { show: false },
            font: "11px Inter Variable",
            size: 32,
            space: 32,
          },
        ],
        series: [
          {},
          { stroke: accent, width: 2, points: { show: false } },
          { stroke: accent, width: 2, dash: [4, 4], points: { show: false } },
        ],
        hooks: {
          draw: [
            (u) => {
              const x = u.valToPos(nowAt, "x", true);
              const y = u.valToPos(curve.now, "y", true);
              const scale = devicePixelRatio * zoomFactor();
              u.ctx.save();
              u.ctx.fillStyle = accent;
              u.ctx.beginPath();
              u.ctx.arc(x, y, 4 * scale, 0, 2 * Math.PI);
              u.ctx.fill();
              u.ctx.fillStyle = ink;
              u.ctx.font = `${11 * scale}px Inter Variable`;
              u.ctx.textAlign = "left";
              u.ctx.fillText(label, x + 5 * scale, y - 8 * scale);
              u.ctx.restore();
            },
          ],
        },
      };
    },
    [nowAt, curve.now, label, shortDate],
  );

  return (
    <>
      <Suspense fallback={<div style={{ height: rem(HEIGHT) }} />}>
        <Chart label={t("decay.chart", { now, fades })} data={data} height={HEIGHT} options={options} />
      </Suspense>
      <p className="tabular mt-2 text-ui text-pretty text-ink">
        {t("decay.now", { value: now })}. {fades}
      </p>
      {curve.ratePerHour !== null && !curve.exempt && (
        <p className="tabular text-meta text-ink-2">
          {t("decay.rate", {
            percent: number(curve.ratePerHour ** 24, { style: "percent", maximumFractionDigits: 1 }),
          })}
        </p>
      )}
    </>
  );
}
