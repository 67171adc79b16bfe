import { expect, test } from "vitest";
import { daysBack, noonOf, topOf } from "./days";

test("a plot has each whole day up to yesterday, and a day without a value stays empty", () => {
  const values = [{ day: "2026-02-27", value: 3 }];
  expect(daysBack(values, 3, Date.UTC(2026, 2, 1, 0, 5))).toEqual([
    { day: "2026-02-26", value: null },
    { day: "2026-02-27", value: 3 },
    { day: "2026-02-28", value: null },
  ]);
});

test("a value is never beyond the end of its scale", () => {
  for (const most of [0, 0.4, 1, 1.5, 2, 3, 5, 7, 10, 11, 49, 99, 100, 101, 12_345]) {
    expect(topOf(most)).toBeGreaterThanOrEqual(most);
    expect(topOf(most)).toBeLessThanOrEqual(Math.max(1, most * 2.5));
  }
});

test("a day is written as itself wherever the reader is", () => {
  expect(new Date(noonOf("2026-02-28")).getDate()).toBe(28);
});
