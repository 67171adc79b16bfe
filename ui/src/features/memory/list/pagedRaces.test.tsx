import { act, renderHook, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { MemoryFilter, MemoryPage, MemoryRow, Sort } from "../../../ipc/bindings.gen";
import { announce } from "../../../ipc/changes";
import { reread } from "../../../ipc/refresh";
import { makeClient } from "../../../testing/queryClient";
import { usePagedMemories } from "./usePagedMemories";

type Asked = { after: string | null; answer(page: MemoryPage): void };
const { asked } = vi.hoisted(() => ({ asked: [] as Asked[] }));

vi.mock("../../../ipc/client", () => ({
  core: {
    listMemories: ({ after }: { after: string | null }) =>
      new Promise<MemoryPage>((resolve) => asked.push({ after, answer: resolve })),
  },
}));
vi.mock("../../../ipc/events", () => ({ onDataChanged: () => () => undefined }));

const FILTER: MemoryFilter = { scope: null, channelId: null, conversationId: null, terms: [], lens: null };
const row = (id: string, version = 1) => ({ id, version, updatedAt: `t${version}` }) as MemoryRow;
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
function open() {
  const { wrapper } = makeClient();
  const { result } = renderHook(() => usePagedMemories(FILTER, "updated" as Sort, true), { wrapper });
  const answer = (at: number, ids: string, next: string | null = null, version = 1) =>
    act(async () => asked[at]?.answer({ rows: [...ids].map((id) => row(id, version)), next }));
  const shown = () => result.current.rows.map(({ id, version }) => `${id}${version}`).join(" ");
  return { result, answer, shown };
}

beforeEach(() => {
  asked.length = 0;
});

test("a write during the first read of the list is in the list", async () => {
  const { answer, shown } = open();
  await waitFor(() => expect(asked).toHaveLength(1));
  announce("memories");
  await later(80);
  await answer(0, "");
  await waitFor(() => expect(asked).toHaveLength(2));
  await answer(1, "a");
  await waitFor(() => expect(shown()).toBe("a1"));
});

test("a write while the next page is read is in the list in any order of the answers", async () => {
  const { result, answer, shown } = open();
  await waitFor(() => expect(asked).toHaveLength(1));
  await answer(0, "ab", "b");
  act(() => void result.current.fetchNextPage());
  await waitFor(() => expect(asked).toHaveLength(2));
  announce("memories");
  await later(80);
  await answer(1, "cd");
  await waitFor(() => expect(asked).toHaveLength(3));
  await answer(2, "ab", "b", 2);
  await waitFor(() => expect(shown()).toMatch(/^a2 b2/));
});

test("a page that is added while a change is read does not restore old rows before it", async () => {
  const { result, answer, shown } = open();
  await waitFor(() => expect(asked).toHaveLength(1));
  await answer(0, "ab", "b");
  announce("memories");
  await waitFor(() => expect(asked).toHaveLength(2));
  act(() => void result.current.fetchNextPage());
  await waitFor(() => expect(asked).toHaveLength(3));
  await answer(1, "ab", "b", 2);
  await answer(2, "cd");
  await waitFor(() => expect(asked).toHaveLength(4));
  await answer(3, "abcd", null, 2);
  await waitFor(() => expect(shown()).toMatch(/^a2 b2/));
});

test("data read for the first time during a change are read again", async () => {
  const { client } = makeClient();
  const answers: ((text: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  const { QueryObserver } = await import("@tanstack/react-query");
  const stop = new QueryObserver(client, { queryKey: ["counts"], queryFn }).subscribe(() => undefined);
  expect(answers).toHaveLength(1);
  void reread(client, ["counts"]);
  await waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.("after");
  await waitFor(() => expect(client.getQueryData(["counts"])).toBe("after"));
  answers[0]?.("before");
  await later(20);
  expect(client.getQueryData(["counts"])).toBe("after");
  stop();
});
