import { expect, test } from "vitest";
import { singleKeys } from "../../preferences/preferences";
import { choose, holdersOf, isShortcut, reset, resetAll } from "./chosen";

const isKey = (key: string, id: string, ctrlKey = false) =>
  isShortcut({ key, ctrlKey, metaKey: false, altKey: false, shiftKey: false }, id);

test("other keys take the place of the first ones, on this computer", () => {
  expect(isKey("n", "memory.new")).toBe(true);
  choose("memory.new", ["mod+shift+n", "f2"]);
  expect(isKey("n", "memory.new")).toBe(false);
  expect(isKey("F2", "memory.new")).toBe(true);
  expect(JSON.parse(localStorage.getItem("inklings.shortcuts") ?? "")).toEqual({
    "memory.new": ["mod+shift+n", "f2"],
  });
  reset("memory.new");
  expect(isKey("n", "memory.new")).toBe(true);
  expect(localStorage.getItem("inklings.shortcuts")).toBeNull();
});

test("a shortcut can be switched off", () => {
  choose("memory.new", []);
  expect(isKey("n", "memory.new")).toBe(false);
});

test("keys belong to one shortcut where several could be meant, and to others elsewhere", () => {
  expect(holdersOf("e", "memory.new")).toEqual(["memory.edit"]);
  expect(holdersOf("e", "conversation.new")).toEqual([]);
  expect(holdersOf("x", "conversation.new")).toEqual(["list.select"]);
  choose("memory.new", ["e"]);
  expect(isKey("e", "memory.new")).toBe(true);
  expect(isKey("e", "memory.edit")).toBe(false);
  expect(isKey("e", "proposal.edit")).toBe(true);
  choose("go.world", ["mod+k"]);
  expect(isKey("k", "go.palette", true)).toBe(false);
  resetAll();
  expect(isKey("e", "memory.edit")).toBe(true);
  expect(isKey("k", "go.palette", true)).toBe(true);
});

test("while single keys are off no shortcut of one works, a chosen one neither", () => {
  choose("memory.pin", ["w"]);
  expect(isKey("w", "memory.pin")).toBe(true);
  singleKeys.set("off");
  expect(isKey("w", "memory.pin")).toBe(false);
  expect(isKey("x", "list.select")).toBe(false);
  expect(isKey("k", "go.palette", true)).toBe(true);
});

test("what another version or a hand wrote is left out", () => {
  for (const text of ["no JSON", "[]", '{"memory.new":"q"}', '{"memory.new":[1]}']) {
    localStorage.setItem("inklings.shortcuts", text);
    expect(isKey("n", "memory.new")).toBe(true);
  }
  localStorage.setItem("inklings.shortcuts", '{"no.such":["q"],"edit.save":["q"]}');
  expect(isKey("q", "edit.save")).toBe(false);
});
