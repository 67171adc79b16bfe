import { expect, test } from "vitest";
import { filterOf, formatTerm, memoryView, parseTerm } from "./view";

test("a facet term is written into the address and read back", () => {
  for (const term of [
    { facet: "tag", value: "plot", negated: false },
    { facet: "source", value: "notes: the -odd- one", negated: true },
    { facet: "tag", value: "", negated: false },
  ] as const) {
    expect(parseTerm(formatTerm(term))).toEqual(term);
  }
});

test("an invalid address written by hand does not break the page", () => {
  const view = memoryView.parse({
    scope: "galaxy",
    sort: 7,
    f: ["nonsense", "tag:plot", "colour:red"],
    q: {},
    id: 3,
  });
  expect(view).toEqual({ f: ["nonsense", "tag:plot", "colour:red"] });
  expect(filterOf(view).terms).toEqual([{ facet: "tag", value: "plot", negated: false }]);
});

test("a channel only filters tiers that have channels", () => {
  expect(filterOf({ scope: "account", channel: "c1" }).channelId).toBeNull();
  expect(filterOf({ scope: "channel", channel: "c1" }).channelId).toBe("c1");
});

test("the address says whose knowledge is shown, and at which time of the story", () => {
  const of = (search: object) => filterOf(memoryView.parse(search)).lens;
  expect(of({})).toBeNull();
  expect(of({ as: "Mira" })).toEqual({ knower: "Mira", at: null });
  expect(of({ by: "chapter 12" })).toEqual({ knower: null, at: "chapter 12" });
  expect(of({ by: 812 })).toEqual({ knower: null, at: "812" });
  expect(of({ as: " Mira ", by: "14 Thaw, 312" })).toEqual({ knower: "Mira", at: "14 Thaw, 312" });
});

test("an address without a subject and a time, or with something else in their place, withholds nothing", () => {
  expect(filterOf(memoryView.parse({ as: "", by: "  " })).lens).toBeNull();
  expect(filterOf(memoryView.parse({ as: ["Mira"], by: {} })).lens).toBeNull();
});
