import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useOncePerFrame } from "./useOncePerFrame";

let frame = 0;
let next: (() => void) | undefined;
beforeEach(() => {
  frame = 1;
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => {
    next = run;
    return 1;
  });
  vi.stubGlobal("cancelAnimationFrame", () => {
    next = undefined;
  });
  Object.defineProperty(document, "timeline", { configurable: true, get: () => ({ currentTime: frame }) });
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(document, "timeline");
});

test("the first change of a frame is drawn at once, and the last of the others in the next one", () => {
  const drawn: string[] = [];
  const { result, unmount } = renderHook(() => useOncePerFrame());
  for (const what of ["move", "marks", "hover"]) result.current(() => drawn.push(what));
  expect(drawn).toEqual(["move"]);
  frame = 2;
  next?.();
  expect(drawn).toEqual(["move", "hover"]);
  frame = 3;
  result.current(() => drawn.push("move again"));
  expect(drawn).toEqual(["move", "hover", "move again"]);
  result.current(() => drawn.push("late"));
  unmount();
  expect(next).toBeUndefined();
});
