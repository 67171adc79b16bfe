import { useEffect, useRef } from "react";
import uPlot from "uplot";
import { onThemeChange, resolveColor } from "../theme/theme";

export type Colors = (token: string) => string;

type ChartProps = {
  /** What the picture says, for those who do not see it. */
  label: string;
  data: uPlot.AlignedData;
  height: number;
  /** Must be stable: a new function builds a new chart. */
  options(colors: Colors): Omit<uPlot.Options, "width" | "height">;
};

/** A uPlot in the ink of the theme; follows the width of its box and the colours in force. */
export default function Chart({ label, data, height, options }: ChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const latest = useRef(data);

  useEffect(() => {
    const box = host.current;
    if (!box) return;
    const draw = () => {
      plot.current?.destroy();
      const colors: Colors = (token) => resolveColor(token, box);
      plot.current = new uPlot(
        { legend: { show: false }, ...options(colors), width: Math.max(120, box.clientWidth), height },
        latest.current,
        box,
      );
    };
    draw();
    const stop = onThemeChange(draw);
    const watcher = new ResizeObserver(() =>
      plot.current?.setSize({ width: Math.max(120, box.clientWidth), height }),
    );
    watcher.observe(box);
    return () => {
      stop();
      watcher.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [height, options]);

  useEffect(() => {
    latest.current = data;
    plot.current?.setData(data);
  }, [data]);

  return (
    <div ref={host} role="img" aria-label={label} style={{ height }} className="w-full overflow-hidden" />
  );
}
