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
