import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PaletteGroup } from "./rows";
import { useChosen } from "./useChosen";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const group = (id: string): PaletteGroup => ({
  id,
  heading: id,
  isFresh: true,
  rows: [{ value: id, icon: null, body: id, run: () => undefined }],
});
const open = (...ids: string[]) =>
  renderHook(({ typed, ids }: { typed: string; ids: string[] }) => useChosen(typed, ids.map(group)), {
    initialProps: { typed: "weir", ids },
  });
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));

test("of answers that come at once the first that is listed is chosen, whichever came first", () => {
  const { result, rerender } = open("message");
  expect(result.current.value).toBe("message");
  pass(100);
  rerender({ typed: "weir", ids: ["memory", "message"] });
  pass(300);
  expect(result.current.value).toBe("memory");
});

test("a row that could be read stays chosen while an answer arrives above it", () => {
  const { result, rerender } = open("message");
  pass(300);
  rerender({ typed: "weir", ids: ["memory", "message"] });
  pass(1000);
  expect(result.current.value).toBe("message");
  rerender({ typed: "weirs", ids: ["memory", "message"] });
  expect(result.current.value).toBe("memory");
});

test("a row that is gone is chosen no more", () => {
  const { result, rerender } = open("message");
  pass(300);
  rerender({ typed: "weir", ids: ["memory"] });
  expect(result.current.value).toBe("memory");
});
