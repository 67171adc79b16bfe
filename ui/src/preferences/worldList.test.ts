import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { z } from "zod";
import { dropLists, worldList } from "./worldList";

const list = worldList("test", z.object({ id: z.string() }));

test("each world has a list of its own", () => {
  list.write("one", [{ id: "a" }]);
  expect(list.read("one")).toEqual([{ id: "a" }]);
  expect(list.read("two")).toEqual([]);
  expect(list.read("one")).toBe(list.read("one"));
});

test("what another version or a hand wrote into it is left out", () => {
  localStorage.setItem("inklings.test.one", JSON.stringify([{ id: "a" }, { id: 7 }, null]));
  expect(list.read("one")).toEqual([{ id: "a" }]);
  localStorage.setItem("inklings.test.one", "no JSON");
  expect(list.read("one")).toEqual([]);
});

test("a world that is destroyed takes its lists with it, and no other", () => {
  list.write("one", [{ id: "a" }]);
  list.write("two", [{ id: "b" }]);
  localStorage.setItem("inklings.theme", "dark");
  dropLists("one");
  expect(list.read("one")).toEqual([]);
  expect(list.read("two")).toEqual([{ id: "b" }]);
  expect(localStorage.getItem("inklings.theme")).toBe("dark");
});

test("a change in another window is seen in this one", () => {
  const view = renderHook(() => list.use("one"));
  expect(view.result.current).toEqual([]);
  localStorage.setItem("inklings.test.one", JSON.stringify([{ id: "a" }]));
  act(() => void window.dispatchEvent(new StorageEvent("storage", { key: "inklings.test.one" })));
  expect(view.result.current).toEqual([{ id: "a" }]);
});
