import { useI18n } from "../../../../i18n/i18n";
import { type DayValue, noonOf, topOf } from "./days";

const WIDTH = 300;
const HEIGHT = 72;
/** What a bar of nothing is tall, so that a day with the value 0 is told from a day without one. */
const LEAST = 1.5;

type DayPlotProps = { label: string; days: readonly DayValue[] };

/** One bar for each day that has a value. */
export function DayPlot({ label, days }: DayPlotProps) {
  const { number, shortDate } = useI18n();
  const top = topOf(Math.max(0, ...days.map((it) => it.value ?? 0)));
  const step = WIDTH / days.length;
  const gap = Math.min(4, step * 0.25);
  const [first, last] = [days[0], days.at(-1)];
  return (
    <div>
      <div className="flex items-stretch gap-2">
        <svg
          role="img"
          aria-label={label}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-18 min-w-0 flex-1"
        >
          {[0.5, HEIGHT / 2, HEIGHT - 0.5].map((y) => (
            <line
              key={y}
              x1={0}
              x2={WIDTH}
              y1={y}
              y2={y}
              className="stroke-line"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {days.map(({ day, value }, at) => {
            if (value === null) return null;
            const height = Math.max(LEAST, (value / top) * HEIGHT);
            return (
              <rect
                key={day}
                x={at * step + gap / 2}
                y={HEIGHT - height}
                width={step - gap}
                height={height}
                className="fill-accent"
              >
                <title>{`${shortDate(noonOf(day))}: ${number(value, { maximumFractionDigits: 1 })}`}</title>
              </rect>
            );
          })}
        </svg>
        <div
          className="tabular flex w-10 flex-col justify-between text-[0.6875rem] leading-3 text-ink-3"
          aria-hidden
        >
          {days.some((it) => it.value !== null) && (
            <>
              <span>{number(top, { notation: "compact" })}</span>
              <span>0</span>
            </>
          )}
        </div>
      </div>
      <div
        className="tabular mt-1 mr-12 flex justify-between text-[0.6875rem] leading-4 text-ink-3"
        aria-hidden
      >
        {first && <span>{shortDate(noonOf(first.day))}</span>}
        {last && <span>{shortDate(noonOf(last.day))}</span>}
      </div>
    </div>
  );
}
