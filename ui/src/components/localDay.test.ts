import { afterEach, beforeEach, expect, test } from "vitest";
import { localDay } from "./localDay";

const { TZ } = process.env;

beforeEach(() => {
  process.env.TZ = "Pacific/Auckland";
});

afterEach(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

test("the day is that of the worldbuilder, which may be another one than in Greenwich", () => {
  expect(localDay(new Date("2026-03-03T09:00:00Z"))).toBe("2026-03-03");
  expect(localDay(new Date("2026-03-03T22:00:00Z"))).toBe("2026-03-04");
});
