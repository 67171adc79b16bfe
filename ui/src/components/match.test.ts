import { expect, test } from "vitest";
import { matchName } from "./match";

const marked = (name: string, typed: string) =>
  matchName(name, typed)?.spans.map(({ start, end }) => name.slice(start, end));

test("every typed word must be in the name, in any order and case", () => {
  expect(marked("The Drowned King", "king DROWNED")).toEqual(["Drowned", "King"]);
  expect(matchName("The Drowned King", "king queen")).toBeNull();
});

test("a short word counts only where a word begins", () => {
  expect(marked("Marguerite", "ma")).toEqual(["Ma"]);
  expect(matchName("Marguerite", "ri")).toBeNull();
  expect(marked("Marguerite", "guer")).toEqual(["guer"]);
});

test("an exact name comes before its beginning, and that before a word within", () => {
  const score = (name: string) => matchName(name, "salt")?.score ?? 0;
  expect(score("Salt")).toBeGreaterThan(score("Salt Road"));
  expect(score("Salt Road")).toBeGreaterThan(score("The Salt"));
  expect(score("The Salt")).toBeGreaterThan(score("Basalt"));
});

test("signs of regular expressions are letters like others", () => {
  expect(marked("What (really) happened?", "(really)")).toEqual(["(really)"]);
  expect(marked("The half-life", "half-life")).toEqual(["half-life"]);
  expect(marked("C++ [draft]", "c++ [draft]")).toEqual(["C++", "[draft]"]);
});

test("places are those of the name as it is written", () => {
  expect(marked("İstanbul Łucja", "łucja")).toEqual(["Łucja"]);
});
