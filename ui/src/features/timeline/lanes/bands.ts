import type { TimelineRow } from "../../../ipc/bindings.gen";
import { LEAST_BAR, PADDING, type Range } from "./layout";

/** Rows of names at most: chapters that overlap stand below one another. */
const MOST_ROWS = 3;
/** A band that is narrower has no edges: they would hide its tint. */
const LEAST_EDGES = 5;
/** A tint that is narrower would not be seen. */
const LEAST_TINT = 2;
/** A name that is cut off still says something from here on. */
const LEAST_NAME = 56;
/** What a digit of a number in reading order needs. */
const DIGIT = 8;

/** Where the text of a band stands, and how long it may be. */
type Label = { text: "name" | "number"; x: number; room: number };

/** A chapter of which a part is in sight, in pixels from the left edge. */
export type Band = {
  row: TimelineRow;
  left: number;
  right: number;
  /** Which row of names, from 0. */
  line: number;
  /** In the band, or beside it if it is too short. Undefined: there is no room. */
  label: Label | undefined;
};

/** Story time with one tint. Shared: several chapters happen then. */
export type Tint = { left: number; right: number; isShared: boolean };

export const isChapter = ({ subject, readingNumber }: TimelineRow): boolean =>
  subject === "chapter" || readingNumber !== null;

/** The chapters that have a time, each once, by their start. A filter may have left some out of the rows. */
export function chaptersOf(rows: readonly TimelineRow[], numbered: readonly TimelineRow[]): TimelineRow[] {
  const chapters = new Map<string, TimelineRow>();
  for (const row of [...rows, ...numbered]) if (isChapter(row) && row.time) chapters.set(row.row.id, row);
  const startOf = ({ time }: TimelineRow) => time?.startDay ?? -Number.MAX_VALUE;
  return [...chapters.values()].sort((a, b) => startOf(a) - startOf(b));
}

/** The right end of the bar that stands for a band. */
export const barEnd = ({ left, right }: Pick<Band, "left" | "right">): number =>
  Math.max(right, left + LEAST_BAR);

/** Room for the number in reading order, or else for a name. */
const leastRoom = ({ readingNumber }: TimelineRow, text: number): number =>
  readingNumber === null ? Math.min(text, LEAST_NAME) : String(readingNumber).length * DIGIT;

/** The text within a band, if the part of it that is in sight has room for a name or at least for its number. */
function labelInside({ row, left, right }: Band, width: number, text: number): Label | undefined {
  const x = Math.max(left, 0) + PADDING;
  const room = Math.min(right, width) - x - PADDING;
  if (room >= Math.min(text, LEAST_NAME)) return { text: "name", x, room };
  return room >= leastRoom(row, text) ? { text: "number", x, room } : undefined;
}

/**
 * The chapters in sight, which are given by their start. Each stands in the first row in which it, and the name beside it, covers
 * nothing. When all rows are taken it stands in the last one.
 */
export function bands(
  chapters: readonly TimelineRow[],
  { from, until }: Range,
  width: number,
  widthOf: (row: TimelineRow) => number,
): Band[] {
  const scale = width / (until - from);
  const found: Band[] = [];
  const ends: number[] = [];
  for (const row of chapters) {
    const start = row.time?.startDay ?? null;
    const end = row.time?.endDay ?? null;
    if ((start ?? from) > until || (end ?? until) < from) continue;
    // Ends out of sight are drawn out of sight.
    const left = start === null ? -PADDING : Math.max((start - from) * scale, -PADDING);
    const right = end === null ? width + PADDING : Math.min((end - from) * scale, width + PADDING);
    const band: Band = { row, left, right, line: 0, label: undefined };
    const text = widthOf(row);
    const bar = barEnd(band);
    const rowFrom = (begin: number) => {
      let line = 0;
      while (line < MOST_ROWS && (ends[line] ?? begin) > begin) line += 1;
      return line;
    };
    band.label = labelInside(band, width, text);
    const behind = Math.min(text, width - bar - PADDING);
    const before = left - text - 2 * PADDING;
    // One that has room in it has no text beside it while it leaves the picture.
    const length = start === null || end === null ? Infinity : (end - start) * scale;
    const isShort = length < leastRoom(row, text) + 2 * PADDING;
    // At the right edge a whole name before the bar is better than half of it behind.
    const isBefore = isShort && behind < text && before >= 0 && rowFrom(before) < MOST_ROWS;
    band.line = Math.min(rowFrom(isBefore ? before : left), MOST_ROWS - 1);
    const isCrowded = (ends[band.line] ?? left) > left;
    if (isBefore) band.label = { text: "name", x: before + PADDING, room: text };
    else if (isShort && !isCrowded && behind >= Math.min(text, LEAST_NAME))
      band.label = { text: "name", x: bar + PADDING, room: behind };
    const taken = band.label && band.label.x > bar ? bar + 2 * PADDING + behind : bar;
    ends[band.line] = Math.max(ends[band.line] ?? taken, taken);
    found.push(band);
  }
  cutLabels(found);
  return found;
}

/** Ends each text where the next band of its row starts. */
function cutLabels(found: readonly Band[]): void {
  const next: (number | undefined)[] = [];
  for (const band of found.toReversed()) {
    const { label, line } = band;
    const limit = next[line];
    next[line] = band.left;
    if (!label || limit === undefined || label.x + label.room <= limit) continue;
    label.room = limit - PADDING - label.x;
    const least = label.text === "name" ? LEAST_NAME : leastRoom(band.row, LEAST_NAME);
    if (label.room < least) band.label = undefined;
  }
}

/** The tints from left to right, and where a band starts or ends. However many chapters there are, it is a few for each pixel. */
export function tintsOf(found: readonly Band[], width: number): { tints: Tint[]; edges: number[] } {
  const last = Math.ceil(width);
  /** At each pixel, how many more chapters there are than before it; and the same of tints, which may be wider. */
  const [chapters, tinted] = [new Int32Array(last + 1), new Int32Array(last + 1)];
  const change = (counts: Int32Array, at: number, by: number) => {
    counts[at] = (counts[at] ?? 0) + by;
  };
  const edges = new Set<number>();
  for (const band of found) {
    const left = Math.min(Math.max(Math.round(band.left), 0), last);
    const right = Math.min(Math.max(Math.round(band.right), left), last);
    change(chapters, left, 1);
    change(chapters, right, -1);
    change(tinted, left, 1);
    change(tinted, Math.min(Math.max(right, left + LEAST_TINT), last), -1);
    if (band.right - band.left < LEAST_EDGES) continue;
    for (const edge of [band.left, band.right]) if (edge >= 0 && edge <= width) edges.add(Math.round(edge));
  }
  const tints: Tint[] = [];
  let [count, tint, from] = [0, 0, 0];
  let before: "none" | "one" | "shared" = "none";
  for (let at = 0; at <= last; at += 1) {
    count += chapters[at] ?? 0;
    tint += tinted[at] ?? 0;
    const now = at === last || tint === 0 ? "none" : count > 1 ? "shared" : "one";
    if (now === before) continue;
    if (before !== "none") tints.push({ left: from, right: at, isShared: before === "shared" });
    before = now;
    from = at;
  }
  return { tints, edges: [...edges].sort((a, b) => a - b) };
}
