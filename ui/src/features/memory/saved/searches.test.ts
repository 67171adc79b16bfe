import { expect, test } from "vitest";
import { isPlain, isSameSearch, moveSearch, removeSearch, renameSearch, saveSearch } from "./searches";

const stored = () => JSON.parse(localStorage.getItem("inklings.searches.w") ?? "[]");
const names = () => stored().map((it: { name: string }) => it.name);

test("a search is the same with another memory open, and with its fields in another order", () => {
  expect(isSameSearch({ q: "salt", scope: "channel", id: "1" }, { scope: "channel", q: "salt" })).toBe(true);
  expect(isSameSearch({ q: "salt" }, { q: "salt", f: ["tag:plot"] })).toBe(false);
  expect(isPlain({ id: "1", q: undefined })).toBe(true);
});

test("each search has a name of its own, in any case", () => {
  expect(saveSearch("w", "Salt", { q: "salt", id: "1" })).toBe(true);
  expect(saveSearch("w", "SALT", { q: "more salt" })).toBe(false);
  expect(saveSearch("w", "Plot", { f: ["tag:plot"] })).toBe(true);
  expect(renameSearch("w", "Plot", "salt")).toBe(false);
  expect(renameSearch("w", "Salt", "salt")).toBe(true);
  // Which memory was open is no part of it.
  expect(stored()).toEqual([
    { name: "salt", view: { q: "salt" } },
    { name: "Plot", view: { f: ["tag:plot"] } },
  ]);
});

test("a search that is removed can come back to its place", () => {
  for (const name of ["a", "b", "c"]) saveSearch("w", name, { q: name });
  const undo = removeSearch("w", "b");
  expect(names()).toEqual(["a", "c"]);
  undo();
  expect(names()).toEqual(["a", "b", "c"]);
});

test("a search moves by one, and not beyond the ends", () => {
  for (const name of ["a", "b", "c"]) saveSearch("w", name, { q: name });
  expect(moveSearch("w", "a", 1)).toBe(2);
  expect(names()).toEqual(["b", "a", "c"]);
  expect(moveSearch("w", "b", -1)).toBeNull();
  expect(moveSearch("w", "c", 1)).toBeNull();
  expect(names()).toEqual(["b", "a", "c"]);
});
