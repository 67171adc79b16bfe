import type { TimelineRow } from "../../../ipc/bindings.gen";
import type { Bar, Lane, Range } from "./layout";

/** Heights, in pixels. */
export const LINE = 24;
const BAR = 18;
/** Above the bars of a lane, where its name stands. */
export const HEAD = 30;
/** A bar that holds a moment is still a bar to press. */
const LEAST = 6;
const PADDING = 6;

/** The name of an entry, as it stands on its bar. */
export const nameOf = ({ row }: TimelineRow): string => row.name ?? row.title ?? row.preview;

/** Where a bar was drawn. */
export type Place = { bar: Bar; x: number; y: number; width: number; height: number };

type Size = { width: number; height: number };
type Scene = {
  lanes: readonly Lane[];
  range: Range;
  /** Days that have a line from top to bottom. */
  ticks: readonly number[];
  size: Size;
  /** How far it is scrolled down. */
  top: number;
  hovered: string | undefined;
  colour: Ink;
};

/** The height of all lanes. */
export const heightOf = (lanes: readonly Lane[]): number =>
  lanes.reduce((sum, { lines }) => sum + HEAD + lines * LINE, 0);

/** The colours and the letters of the theme. A canvas cannot read the tokens itself. */
export type Ink = {
  ink: string;
  line: string;
  edge: string;
  accent: string;
  wash: string;
  bar: string;
  font: string;
};

/** Draws what is in sight, and tells where each bar is. */
export function draw(canvas: HTMLCanvasElement, scene: Scene): Place[] {
  const { lanes, range, ticks, size, top, hovered, colour } = scene;
  const context = canvas.getContext("2d");
  if (!context || size.width <= 0) return [];
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(size.width * ratio);
  canvas.height = Math.round(size.height * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = colour.font;
  context.textBaseline = "middle";
  const scale = size.width / (range.until - range.from);
  const x = (day: number) => (day - range.from) * scale;

  context.strokeStyle = colour.line;
  context.lineWidth = 1;
  context.beginPath();
  for (const day of ticks) {
    const at = Math.round(x(day)) + 0.5;
    context.moveTo(at, 0);
    context.lineTo(at, size.height);
  }
  context.stroke();

  const places: Place[] = [];
  let y = -top;
  for (const lane of lanes) {
    const bars = y + HEAD;
    for (const bar of lane.bars) {
      const at = bars + bar.line * LINE;
      if (at + LINE < 0 || at > size.height) continue;
      const left = bar.start === null ? -PADDING : Math.max(x(bar.start), -PADDING);
      const right = bar.end === null ? size.width + PADDING : Math.min(x(bar.end), size.width + PADDING);
      const width = Math.max(right - left, LEAST);
      const isHovered = hovered === bar.row.row.id;
      context.fillStyle = lane.kind === "chapter" ? colour.wash : colour.bar;
      context.strokeStyle = isHovered ? colour.accent : colour.edge;
      context.beginPath();
      context.roundRect(left + 0.5, at + 0.5, width, BAR, 4);
      context.fill();
      context.stroke();
      context.fillStyle = colour.ink;
      const text = nameOf(bar.row);
      const length = context.measureText(text).width;
      const inside = Math.max(left, 0) + PADDING;
      const fits = inside + length + PADDING <= left + width;
      // Beside a bar that is too short for its name: behind it, or before it at the edge.
      const behind = left + width + PADDING;
      const before = left - PADDING - length;
      const begins = !fits && behind + length <= size.width ? behind : !fits && before >= 0 ? before : inside;
      context.fillText(text, begins, at + BAR / 2 + 1);
      const x1 = Math.min(left, begins);
      const x2 = Math.max(left + width, begins + length);
      places.push({ bar, x: x1, y: at, width: x2 - x1, height: BAR });
    }
    y = bars + lane.lines * LINE;
    context.strokeStyle = colour.line;
    context.beginPath();
    context.moveTo(0, Math.round(y) + 0.5);
    context.lineTo(size.width, Math.round(y) + 0.5);
    context.stroke();
  }
  return places;
}
