import type { TimelineRow } from "../../../ipc/bindings.gen";
import { zoomFactor } from "../../../preferences/zoom";
import { type Band, barEnd, tintsOf } from "./bands";
import { type Lane, LEAST_BAR, PADDING, type Range } from "./layout";

/** Heights, in pixels. */
export const LINE = 24;
const BAR = 18;
/** Above the bars of a lane, where its name stands. */
export const HEAD = 30;
/** Strength of a tint where one chapter is and where several are, of its edges, and of the chapter in focus. */
const TINT = 0.07;
const SHARED = 0.13;
const EDGE = 0.3;
const FOCUS = 0.12;
const BAR_TINT = 0.2;
const CROWD = 0.4;
/** One path for so many bars: few calls, and each is still quick. */
const BATCH = 100;

/** The name of an entry, as it stands on its bar. */
export const nameOf = ({ row }: TimelineRow): string => row.name ?? row.title ?? row.preview;

/** Where a bar was drawn. */
export type Place = { row: TimelineRow; x: number; y: number; width: number; height: number };

type Size = { width: number; height: number };
type Scene = {
  lanes: readonly Lane[];
  bands: readonly Band[];
  range: Range;
  /** Days that have a line from top to bottom. */
  ticks: readonly number[];
  size: Size;
  /** How far it is scrolled down. */
  top: number;
  hovered: string | undefined;
  colour: Ink;
  /** How wide the name of an entry is. */
  widthOf(row: TimelineRow): number;
};

/** The height of all lanes. */
export const heightOf = (lanes: readonly Lane[]): number =>
  lanes.reduce((sum, { lines }) => sum + HEAD + lines * LINE, 0);

/** The height of the rows of chapters. */
export const heightOfBands = (bands: readonly Band[]): number =>
  bands.length === 0 ? 0 : HEAD + LINE * (1 + Math.max(...bands.map(({ line }) => line)));

/** The colours and the letters of the theme. A canvas cannot read the tokens itself. */
export type Ink = {
  ink: string;
  line: string;
  edge: string;
  accent: string;
  paper: string;
  bar: string;
  chapter: string;
  font: string;
};

/** A canvas that is empty, in the pixels of the screen. Undefined while it has no size. */
function start(canvas: HTMLCanvasElement, size: Size, colour: Ink): CanvasRenderingContext2D | undefined {
  const context = canvas.getContext("2d");
  if (!context || size.width <= 0 || size.height <= 0) return undefined;
  const ratio = (window.devicePixelRatio || 1) * zoomFactor();
  const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
  // To set a size clears the picture, and costs new memory.
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  context.font = colour.font;
  context.textBaseline = "middle";
  context.lineWidth = 1;
  return context;
}

/** Lines from top to bottom. */
function drawLines(context: CanvasRenderingContext2D, height: number, places: readonly number[]): void {
  context.beginPath();
  for (const place of places) {
    const at = Math.round(place) + 0.5;
    context.moveTo(at, 0);
    context.lineTo(at, height);
  }
  context.stroke();
}

/** The chapters from top to bottom, behind all else. */
function drawTints(
  context: CanvasRenderingContext2D,
  bands: readonly Band[],
  size: Size,
  hovered: string | undefined,
  colour: Ink,
): void {
  const { tints, edges } = tintsOf(bands, size.width);
  context.fillStyle = colour.chapter;
  for (const { left, right, isShared } of tints) {
    context.globalAlpha = isShared ? SHARED : TINT;
    context.fillRect(left, 0, right - left, size.height);
  }
  context.globalAlpha = EDGE;
  context.strokeStyle = colour.chapter;
  drawLines(context, size.height, edges);
  const focus = bands.find(({ row }) => row.row.id === hovered);
  if (focus) {
    context.globalAlpha = FOCUS;
    context.fillStyle = colour.accent;
    context.fillRect(focus.left, 0, Math.max(focus.right - focus.left, 1), size.height);
    context.globalAlpha = 1;
    context.strokeStyle = colour.accent;
    drawLines(context, size.height, [focus.left, focus.right]);
  }
  context.globalAlpha = 1;
}

/** As much of a text as there is room for. */
function shortened(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  let [fits, most] = [0, text.length];
  while (fits < most) {
    const half = Math.ceil((fits + most) / 2);
    if (context.measureText(`${text.slice(0, half)}…`).width <= room) fits = half;
    else most = half - 1;
  }
  return `${text.slice(0, fits).trimEnd()}…`;
}

/** Without a name, and so short that its edges would be all of it: where there are many, they would make one dark bar. */
const isCrowded = ({ label, left, right }: Band): boolean => !label && right - left < LEAST_BAR;

/** Draws the rows of chapters above the lanes, and tells where each of them is. */
export function drawBands(canvas: HTMLCanvasElement, scene: Omit<Scene, "lanes" | "top">): Place[] {
  const { bands, range, ticks, size, hovered, colour } = scene;
  const context = start(canvas, size, colour);
  if (!context) return [];
  drawTints(context, bands, size, hovered, colour);
  context.strokeStyle = colour.line;
  drawLines(
    context,
    size.height,
    ticks.map((day) => ((day - range.from) * size.width) / (range.until - range.from)),
  );
  const places: Place[] = [];
  for (const band of bands) {
    const { row, left, line, label } = band;
    const at = HEAD + line * LINE;
    const width = barEnd(band) - left;
    const isHovered = hovered === row.row.id;
    if (isCrowded(band) && !isHovered) {
      context.globalAlpha = CROWD;
      context.fillStyle = colour.chapter;
      context.fillRect(left, at + 0.5, Math.max(band.right - left, 1), BAR);
      context.globalAlpha = 1;
      places.push({ row, x: left, y: at, width, height: BAR });
      continue;
    }
    context.beginPath();
    context.roundRect(left + 0.5, at + 0.5, width, BAR, 4);
    context.fillStyle = colour.paper;
    context.fill();
    context.fillStyle = colour.chapter;
    context.globalAlpha = BAR_TINT;
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = isHovered ? colour.accent : colour.edge;
    context.stroke();
    let right = left + width;
    if (label) {
      const text = label.text === "name" ? nameOf(row) : String(row.readingNumber);
      const shown = shortened(context, text, label.room);
      context.fillStyle = colour.ink;
      context.fillText(shown, label.x, at + BAR / 2 + 1);
      right = Math.max(right, label.x + context.measureText(shown).width);
    }
    places.push({ row, x: left, y: at, width: right - left, height: BAR });
  }
  // What is drawn last lies on top, and is found first.
  return places.reverse();
}

/** Bars without their names. */
function drawBars(context: CanvasRenderingContext2D, bars: readonly Place[], { bar, edge }: Ink): void {
  context.fillStyle = bar;
  context.strokeStyle = edge;
  for (let from = 0; from < bars.length; from += BATCH) {
    context.beginPath();
    for (const { x, y, width, height } of bars.slice(from, from + BATCH))
      context.roundRect(x + 0.5, y + 0.5, width, height, 4);
    context.fill();
    context.stroke();
  }
}

/** Draws what is in sight, and tells where each bar is. */
export function draw(canvas: HTMLCanvasElement, scene: Scene): Place[] {
  const { lanes, bands, range, ticks, size, top, hovered, colour, widthOf } = scene;
  const context = start(canvas, size, colour);
  if (!context) return [];
  const scale = size.width / (range.until - range.from);
  const x = (day: number) => (day - range.from) * scale;
  drawTints(context, bands, size, hovered, colour);
  context.strokeStyle = colour.line;
  drawLines(context, size.height, ticks.map(x));

  const places: Place[] = [];
  let y = -top;
  for (const lane of lanes) {
    const bars = y + HEAD;
    const seen: Place[] = [];
    for (const { row, line, start, end } of lane.bars) {
      const at = bars + line * LINE;
      if (at + LINE < 0 || at > size.height) continue;
      const left = start === null ? -PADDING : Math.max(x(start), -PADDING);
      const right = end === null ? size.width + PADDING : Math.min(x(end), size.width + PADDING);
      seen.push({ row, x: left, y: at, width: Math.max(right - left, LEAST_BAR), height: BAR });
    }
    drawBars(context, seen, colour);
    const focus = seen.find(({ row }) => row.row.id === hovered);
    if (focus) drawBars(context, [focus], { ...colour, edge: colour.accent });
    context.fillStyle = colour.ink;
    for (const { row, x: left, y: at, width } of seen) {
      const length = widthOf(row);
      const inside = Math.max(left, 0) + PADDING;
      const fits = inside + length + PADDING <= left + width;
      // Beside a bar that is too short for its name: behind it, or before it at the edge.
      const behind = left + width + PADDING;
      const before = left - PADDING - length;
      const begins = !fits && behind + length <= size.width ? behind : !fits && before >= 0 ? before : inside;
      context.fillText(nameOf(row), begins, at + BAR / 2 + 1);
      const x1 = Math.min(left, begins);
      const x2 = Math.max(left + width, begins + length);
      places.push({ row, x: x1, y: at, width: x2 - x1, height: BAR });
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
