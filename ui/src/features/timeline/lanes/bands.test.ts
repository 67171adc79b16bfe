import { describe, expect, test } from "vitest";
import type { TimelineRow } from "../../../ipc/bindings.gen";
import { type Band, bands, barEnd, chaptersOf, tintsOf } from "./bands";

const chapter = (
  id: string,
  startDay: number | null,
  endDay: number | null,
  readingNumber: number | null = 1,
) =>
  ({
    row: { id },
    subject: "chapter",
    time: { text: "", from: null, until: null, startDay, endDay },
    readingNumber,
    flashback: false,
  }) as unknown as TimelineRow;

/** One day is ten pixels. */
const range = { from: 0, until: 100 };
const WIDTH = 1_000;
const place = (chapters: TimelineRow[], text = 90) => bands(chapters, range, WIDTH, () => text);
const seen = (found: Band[]) => found.map(({ row, line, label }) => [row.row.id, line, label?.text]);

describe("the chapters", () => {
  test("are those of the rows and those that a filter left out, once each, by their start", () => {
    const late = chapter("late", 20, 30);
    const noTime = { ...chapter("none", 0, 0), time: null };
    const event = { ...chapter("event", 0, 1, null), subject: "event" };
    const found = chaptersOf([late, event], [{ ...late, flashback: true }, noTime, chapter("early", 5, 6)]);
    expect(found.map(({ row, flashback }) => [row.id, flashback])).toEqual([
      ["early", false],
      ["late", true],
    ]);
  });

  test("stand in one row while they follow one another, and below it where they overlap", () => {
    const found = place([
      chapter("a", 0, 20),
      chapter("b", 20, 40),
      chapter("c", 30, 50),
      chapter("d", 50, 60),
    ]);
    expect(seen(found)).toEqual([
      ["a", 0, "name"],
      ["b", 0, "name"],
      ["c", 1, "name"],
      ["d", 0, "name"],
    ]);
  });

  test("have their number where there is no room for a name, and their name beside them if they are shorter", () => {
    const found = place([chapter("a", 0, 3), chapter("b", 3, 6, null), chapter("c", 40, 41)]);
    expect(seen(found)).toEqual([
      ["a", 0, "number"],
      ["b", 0, "name"],
      ["c", 0, "name"],
    ]);
    expect(found[2]?.label?.x).toBeGreaterThan(barEnd(found[2] as Band));
    const [last] = place([chapter("last", 99, 99.5)]);
    expect(last?.label?.x).toBeLessThan(last?.left ?? 0);
  });

  test("cover no text of another one, however many there are", () => {
    const many = Array.from({ length: 1_000 }, (_, n) => chapter(String(n), n / 10, (n + 1) / 10, n));
    const found = place(many);
    expect(found).toHaveLength(1_000);
    expect(Math.max(...found.map(({ line }) => line))).toBe(2);
    const named = found.filter(({ label }) => label);
    expect(named.length).toBeGreaterThan(5);
    for (const { line, label } of named)
      for (const other of found)
        if (label && other.line === line && other.left > label.x)
          expect(label.x + label.room).toBeLessThanOrEqual(other.left);
  });

  test("out of sight are left out, and an open end is in every range", () => {
    expect(
      place([chapter("a", -20, -10), chapter("b", 150, null), chapter("c", null, 5)]).map(
        ({ row }) => row.row.id,
      ),
    ).toEqual(["c"]);
  });
});

describe("the tints", () => {
  test("are stronger where chapters overlap, and have edges where there is room", () => {
    const { tints, edges } = tintsOf(
      place([chapter("a", 10, 30), chapter("b", 20, 40), chapter("c", 20, 25)]),
      WIDTH,
    );
    expect(tints).toEqual([
      { left: 100, right: 200, isShared: false },
      { left: 200, right: 300, isShared: true },
      { left: 300, right: 400, isShared: false },
    ]);
    expect(edges).toEqual([100, 200, 250, 300, 400]);
    const moment = tintsOf(place([chapter("a", 10, 10)]), WIDTH);
    expect(moment).toEqual({ tints: [{ left: 100, right: 102, isShared: false }], edges: [] });
  });

  test("are no more than the picture has pixels", () => {
    const many = Array.from({ length: 5_000 }, (_, n) => chapter(String(n), n / 50, n / 50 + 0.01, n));
    expect(tintsOf(place(many), WIDTH).tints.length).toBeLessThanOrEqual(WIDTH);
  });
});
