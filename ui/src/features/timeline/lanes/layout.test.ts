import { describe, expect, test } from "vitest";
import type { TimelineRow } from "../../../ipc/bindings.gen";
import { lanes, moved, scaleRequest, whole, zoomed } from "./layout";

const row = (id: string, subject: string | null, startDay: number | null, endDay: number | null) =>
  ({
    row: { id },
    subject,
    time: { text: "", from: null, until: null, startDay, endDay },
    readingNumber: null,
    flashback: false,
  }) as unknown as TimelineRow;

const narrow = () => 0;

describe("the range", () => {
  test("holds every start and end, with room around", () => {
    const { from, until } = whole([row("a", null, 10, null), row("b", null, null, 110)]);
    expect(from).toBeLessThan(10);
    expect(until).toBeGreaterThan(110);
    expect(whole([])).toEqual({ from: 0, until: 365 });
  });

  test("zooms around a day that stays in its place, and no closer than an hour", () => {
    const near = zoomed({ from: 0, until: 100 }, 0.5, 25);
    expect(near).toEqual({ from: 12.5, until: 62.5 });
    const closest = zoomed({ from: 0, until: 1 }, 0.0001, 0.5);
    expect(closest.until - closest.from).toBeCloseTo(1 / 24);
    expect(moved(near, 10)).toEqual({ from: 22.5, until: 72.5 });
  });
});

describe("the days of which the marks are read", () => {
  test("hold the range, and stay the same while the range moves by less than half of it", () => {
    for (const range of [
      { from: -1_234.5, until: 8_000.25 },
      { from: 7.3, until: 7.4 },
    ]) {
      const found = scaleRequest(range, 10);
      expect(found.from).toBeLessThanOrEqual(range.from);
      expect(found.until).toBeGreaterThanOrEqual(range.until);
      expect([found.from, found.until].every(Number.isInteger)).toBe(true);
    }
    const range = { from: 110, until: 310 };
    expect(scaleRequest(moved(range, 80), 10)).toEqual(scaleRequest(range, 10));
    expect(scaleRequest(range, 10)).toEqual({ from: 100, until: 401, most: 15 });
  });
});

describe("the lanes", () => {
  const range = { from: 0, until: 100 };

  test("bars that overlap in time or in text stand on different lines", () => {
    const rows = [
      row("a", "event", 0, 10),
      row("b", "event", 5, 20),
      row("c", "event", 12, 14),
      row("d", "event", 90, null),
    ];
    const [lane] = lanes(rows, range, narrow);
    expect(lane?.bars.map((bar) => [bar.row.row.id, bar.line])).toEqual([
      ["a", 0],
      ["b", 1],
      ["c", 0],
      ["d", 0],
    ]);
    const [wide] = lanes(rows, range, () => 30);
    expect(wide?.lines).toBe(3);
    const [wider] = lanes([row("a", "event", 0, 10), row("b", "event", 35, 40)], range, () => 30);
    expect(wider?.bars.map((bar) => bar.line)).toEqual([0, 1]);
    // The name of the second one stands before it, where the first one is.
    const [edge] = lanes([row("a", "event", 0, 80), row("b", "event", 95, null)], range, () => 30);
    expect(edge?.bars.map((bar) => bar.line)).toEqual([0, 1]);
  });

  test("what is out of the range is in no lane, and an open end is in every range", () => {
    const rows = [row("a", "event", 200, 300), row("b", "event", null, -5), row("c", "event", null, 3)];
    const [lane] = lanes([...rows, row("d", "event", -50, null)], range, narrow);
    expect(lane?.bars.map((bar) => bar.row.row.id).sort()).toEqual(["c", "d"]);
  });

  test("the offered kinds come first, then those of the world, then memories", () => {
    const kinds = [null, "culture", "item", "character", "event"];
    const found = lanes(
      kinds.map((kind, n) => row(String(n), kind, n, n + 1)),
      range,
      narrow,
    );
    expect(found.map(({ kind }) => kind)).toEqual(["event", "character", "item", "culture", null]);
  });

  test("of five thousand bars each has a place", () => {
    const rows = Array.from({ length: 5_000 }, (_, n) =>
      row(
        String(n),
        ["event", "character", "place"][n % 3] ?? null,
        (n * 7919) % 36_500,
        ((n * 7919) % 36_500) + 30,
      ),
    );
    const all = lanes(rows, whole(rows), () => 20);
    expect(all.reduce((sum, lane) => sum + lane.bars.length, 0)).toBe(5_000);
  });
});
