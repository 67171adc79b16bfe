import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { MemoryFilter } from "../../ipc/bindings.gen";
import { makeClient } from "../../testing/queryClient";
import { useSearchedText } from "./useSearchedText";

const { asked } = vi.hoisted(() => ({ asked: [] as { query: string; settle(fails?: boolean): void }[] }));

vi.mock("../../ipc/client", () => ({
  core: {
    searchMemories: ({ query }: { query: string }) =>
      new Promise((resolve, reject) => {
        asked.push({
          query,
          settle: (fails = false) => (fails ? reject(new Error("no")) : resolve({ hits: [] })),
        });
      }),
  },
}));

const FILTER: MemoryFilter = { scope: null, channelId: null, conversationId: null, terms: [], lens: null };
const words = () => asked.map((it) => it.query);

function open(address = "") {
  const { wrapper } = makeClient();
  const { result } = renderHook(() => useSearchedText(address, FILTER), { wrapper });
  return {
    query: () => result.current[0],
    type: (text: string) => act(() => result.current[1](text)),
    settle: (at: number, fails = false) => act(async () => asked[at]?.settle(fails)),
  };
}

beforeEach(() => {
  asked.length = 0;
});

test("a letter is searched at once, without a delay, and shown with its answer", async () => {
  const field = open();
  field.type("g");
  expect(words()).toEqual(["g"]);
  expect(field.query()).toBe("");
  await field.settle(0);
  expect(field.query()).toBe("g");
});

test("while an answer is slow the page shows that a search is running", async () => {
  const field = open();
  field.type("g");
  await act(() => new Promise((resolve) => setTimeout(resolve, 300)));
  expect(field.query()).toBe("g");
});

test("letters typed while an answer is pending wait for it, and only the newest words are searched", async () => {
  const field = open();
  for (const text of ["g", "ga", "gat", "gate "]) field.type(text);
  expect(words()).toEqual(["g"]);
  await field.settle(0);
  expect(words()).toEqual(["g", "gate"]);
  expect(field.query()).toBe("g");
  await field.settle(1);
  expect(words()).toEqual(["g", "gate"]);
  expect(field.query()).toBe("gate");
});

test("a failed search does not block the next one", async () => {
  const field = open();
  field.type("g");
  field.type("ga");
  await field.settle(0, true);
  expect(words()).toEqual(["g", "ga"]);
});

test("clearing the field applies at once, and no late answer restores the words", async () => {
  const field = open();
  field.type("g");
  field.type("");
  expect(field.query()).toBe("");
  await field.settle(0);
  expect(field.query()).toBe("");
  expect(words()).toEqual(["g"]);
});

test("the words of the address are shown from the start", () => {
  expect(open(" gate ").query()).toBe("gate");
});
