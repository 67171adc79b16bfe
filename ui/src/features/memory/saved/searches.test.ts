import { expect, test } from "vitest";
import { isPlain, isSameSearch, savedView, searchedView } from "./searches";

test("a search is the same with another memory open, and with its fields in another order", () => {
  expect(isSameSearch({ q: "salt", scope: "channel", id: "1" }, { scope: "channel", q: "salt" })).toBe(true);
  expect(isSameSearch({ q: "salt" }, { q: "salt", f: ["tag:plot"] })).toBe(false);
  expect(isPlain({ id: "1", q: undefined })).toBe(true);
});

test("what is saved of a view gives the same address again", () => {
  for (const view of [
    {},
    { q: "salt" },
    { scope: "channel" as const, channel: "3", f: ["tag:plot", "-speaker:Odile: the smith"] },
    { conversation: "AB12", sort: "created_asc" as const },
    { as: "Odile", by: "Chapter 2" },
  ])
    expect(searchedView(savedView(view))).toEqual(view);
});
