import type { TimelineRow } from "../../../ipc/bindings.gen";

/** A part of story time, in days. */
export type Range = { from: number; until: number };

/** An entry on its lane. Open ends reach to the edge of any range. */
export type Bar = {
  row: TimelineRow;
  start: number | null;
  end: number | null;
  /** Which line of its lane, from 0. */
  line: number;
};

/** The bars of a kind of subject. Null: of what is no subject. */
export type Lane = { kind: string | null; bars: Bar[]; lines: number };

/** A bar that holds a moment is still a bar to press, in pixels. */
export const LEAST_BAR = 6;
/** Between a bar and what is written in it or beside it, in pixels. */
export const PADDING = 6;
/** The shortest range that is shown: an hour. */
const LEAST = 1 / 24;
/** Beyond this nothing can have a time. */
const MOST = 2 * 900_000_000_000;

/** What holds all starts and ends, with some room around it. */
export function whole(rows: readonly TimelineRow[]): Range {
  let from = Number.POSITIVE_INFINITY;
  let until = Number.NEGATIVE_INFINITY;
  for (const { time } of rows)
    for (const day of [time?.startDay, time?.endDay])
      if (day !== null && day !== undefined) {
        from = Math.min(from, day);
        until = Math.max(until, day);
      }
  if (from > until) return { from: 0, until: 365 };
  const room = Math.max((until - from) * 0.04, 1);
  // The names of what comes last stand behind it.
  return { from: from - room, until: until + 4 * room };
}

/** The range zoomed by a factor around a day that stays in its place. */
export function zoomed({ from, until }: Range, factor: number, around: number): Range {
  const length = Math.min(Math.max((until - from) * factor, LEAST), MOST);
  const share = (around - from) / (until - from);
  return { from: around - share * length, until: around + (1 - share) * length };
}

export const moved = ({ from, until }: Range, days: number): Range => ({
  from: from + days,
  until: until + days,
});

/** Whole days around a range, and how many marks the scale has there at most: the same for all ranges that are near. */
export function scaleRequest({ from, until }: Range, most: number) {
  const step = Math.max(1, Math.round((until - from) / 2));
  const start = Math.floor(from / step) * step;
  const length = 3 * step + 1;
  const share = length / Math.max(until - from, 1);
  return { from: start, until: start + length, most: Math.floor(most * share) };
}

/** The order of the lanes; kinds of the world's own come behind these. */
const ORDER = ["event", "character", "faction", "place", "item"];

/**
 * Lanes by kind, with bars on the first line that is free. A bar takes the room of its name too, so bars that do not overlap in
 * time may still stand on two lines: `textDays` is how many days its name is long at this zoom.
 */
export function lanes(
  rows: readonly TimelineRow[],
  { from, until }: Range,
  textDays: (row: TimelineRow) => number,
): Lane[] {
  const kinds = new Map<string | null, Bar[]>();
  const ends = new Map<string | null, number[]>();
  const starts = rows.flatMap((row) => {
    const start = row.time?.startDay ?? null;
    const end = row.time?.endDay ?? null;
    const seen = (start ?? from) <= until && (end ?? until) >= from;
    return seen ? [{ row, start, end }] : [];
  });
  // By where they begin to be seen: open starts and earlier ones are all at the edge.
  starts.sort((a, b) => Math.max(a.start ?? from, from) - Math.max(b.start ?? from, from));
  for (const { row, start, end } of starts) {
    const left = Math.max(start ?? from, from);
    const edge = Math.min(end ?? until, until);
    // A name that does not fit into its bar stands behind it, or before it at the edge.
    const text = textDays(row);
    const isInside = edge - left >= text;
    const isBefore = !isInside && edge + text > until && left - text >= from;
    const begin = isBefore ? left - text : left;
    const right = isInside || isBefore ? edge : edge + text;
    const taken = ends.get(row.subject) ?? [];
    let line = taken.findIndex((it) => it <= begin);
    if (line === -1) line = taken.length;
    taken[line] = right;
    ends.set(row.subject, taken);
    const bars = kinds.get(row.subject) ?? [];
    bars.push({ row, start, end, line });
    kinds.set(row.subject, bars);
  }
  const place = (kind: string | null) => {
    if (kind === null) return ORDER.length + 1;
    const at = ORDER.indexOf(kind);
    return at === -1 ? ORDER.length : at;
  };
  return [...kinds]
    .map(([kind, bars]) => ({ kind, bars, lines: ends.get(kind)?.length ?? 0 }))
    .sort((a, b) => place(a.kind) - place(b.kind) || (a.kind ?? "").localeCompare(b.kind ?? ""));
}
