import { useEffect, useRef } from "react";
import uPlot from "uplot";
import { rem, useZoomFactor } from "../preferences/zoom";
import { onThemeChange, resolveColor } from "../theme/theme";

export type Colors = (token: string) => string;

type ChartProps = {
  /** What the picture says, for those who do not see it. */
  label: string;
  data: uPlot.AlignedData;
  /** In pixels of the design. */
  height: number;
  /** Must be stable: a new function builds a new chart. */
  options(colors: Colors): Omit<uPlot.Options, "width" | "height">;
};

type Drawn = ReturnType<ChartProps["options"]>;

const LENGTHS = ["size", "labelSize", "space"] as const;
const FONTS = ["font", "labelFont"] as const;

/** The texts of the axes and the room for them, with the zoom. What is not given stays so: uPlot has its own. */
function enlarged(options: Drawn, zoom: number): Drawn {
  const axes = options.axes?.map((axis) => {
    const scaled = { ...axis };
    for (const name of LENGTHS) {
      const length = axis[name];
      if (typeof length === "number") scaled[name] = length * zoom;
    }
    for (const name of FONTS) {
      const font = axis[name];
      if (typeof font === "string")
        scaled[name] = font.replace(/^[\d.]+/, (size) => `${Number(size) * zoom}`);
    }
    return scaled;
  });
  return { ...options, axes };
}

/** A uPlot in the ink of the theme; follows the width of its box and the colours in force. */
export default function Chart({ label, data, height, options }: ChartProps) {
  const zoom = useZoomFactor();
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const latest = useRef(data);

  useEffect(() => {
    const box = host.current;
    if (!box) return;
    const sizeNow = () => ({ width: Math.max(120, box.clientWidth), height: Math.round(height * zoom) });
    const draw = () => {
      plot.current?.destroy();
      const colors: Colors = (token) => resolveColor(token, box);
      plot.current = new uPlot(
        { legend: { show: false }, ...enlarged(options(colors), zoom), ...sizeNow() },
        latest.current,
        box,
      );
    };
    draw();
    const stop = onThemeChange(draw);
    const watcher = new ResizeObserver(() => plot.current?.setSize(sizeNow()));
    watcher.observe(box);
    return () => {
      stop();
      watcher.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [height, options, zoom]);

  useEffect(() => {
    latest.current = data;
    plot.current?.setData(data);
  }, [data]);

  return (
    <div
      ref={host}
      role="img"
      aria-label={label}
      style={{ height: rem(height) }}
      className="w-full overflow-hidden"
    />
  );
}
