import { act, renderHook, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { MemoryFilter } from "../../../ipc/bindings.gen";
import { keys } from "../../../ipc/keys";
import { makeClient } from "../../../testing/queryClient";
import { useFound } from "./useFound";

const { asked } = vi.hoisted(() => ({ asked: [] as { query: string; first: number | null }[] }));

vi.mock("../../../ipc/client", () => ({
  core: {
    searchMemories: async ({ query, first }: { query: string; first: number | null }) => {
      asked.push({ query, first });
      const count = query === "few" ? 3 : 200;
      const hits = Array.from({ length: Math.min(first ?? count, count) }, (_, n) => `${query} ${n}`);
      return { hits, more: hits.length < count };
    },
  },
}));

const FILTER: MemoryFilter = { scope: null, channelId: null, conversationId: null, terms: [], lens: null };

function open(query: string) {
  const { client, wrapper } = makeClient();
  const hook = renderHook((query: string) => useFound(query, FILTER), { wrapper, initialProps: query });
  return { client, ...hook, count: () => hook.result.current.data?.hits.length };
}

beforeEach(() => {
  asked.length = 0;
});

test("the first hits are rendered at once, the others when typing pauses", async () => {
  const { count } = open("gate");
  await waitFor(() => expect(count()).toBe(40));
  await waitFor(() => expect(count()).toBe(200));
  expect(asked).toEqual([
    { query: "gate", first: 40 },
    { query: "gate", first: null },
  ]);
});

test("words that are being typed are never requested completely", async () => {
  const { count, rerender } = open("ga");
  await waitFor(() => expect(count()).toBe(40));
  rerender("gate");
  await waitFor(() => expect(count()).toBe(200));
  expect(asked.filter(({ query }) => query === "ga")).toEqual([{ query: "ga", first: 40 }]);
});

test("a short answer is not requested twice", async () => {
  const { count } = open("few");
  await waitFor(() => expect(count()).toBe(3));
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(asked).toHaveLength(1);
});

test("a list that was read completely stays complete when it is read again", async () => {
  const { client, count } = open("gate");
  await waitFor(() => expect(count()).toBe(200));
  await act(() => client.invalidateQueries({ queryKey: keys.search("gate", FILTER) }));
  expect(asked.at(-1)).toEqual({ query: "gate", first: null });
  expect(count()).toBe(200);
});
