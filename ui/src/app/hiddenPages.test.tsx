import { InfiniteQueryObserver, type QueryClient } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { usePagedMemories } from "../features/memory/list/usePagedMemories";
import type { ChangeTopic, MemoryFilter, MemoryPage, MemoryRow, Sort } from "../ipc/bindings.gen";
import { announce } from "../ipc/changes";
import { core } from "../ipc/client";
import { keys, refreshedByPage } from "../ipc/keys";
import { makeClient } from "../testing/queryClient";
import { useChanges } from "./useChanges";

const { answers } = vi.hoisted(() => ({ answers: [] as ((page: MemoryPage) => void)[] }));
vi.mock("../ipc/client", () => ({
  core: { listMemories: () => new Promise<MemoryPage>((resolve) => answers.push(resolve)) },
}));
vi.mock("../ipc/events", () => ({ onDataChanged: () => () => undefined }));

const FILTER: MemoryFilter = { scope: null, channelId: null, conversationId: null, terms: [], lens: null };
const SORT: Sort = "updated_desc";
const NONE: MemoryPage = { rows: [], next: null };
const ONE: MemoryPage = { rows: [{ id: "a" } as MemoryRow], next: null };

/** The window with a list of memories that was read when there was none, and is not on screen any more. */
async function withHiddenList() {
  const { client, wrapper } = makeClient();
  const open = () => renderHook(() => usePagedMemories(FILTER, SORT, true), { wrapper });
  const app = renderHook(() => useChanges(), { wrapper });
  const list = open();
  await waitFor(() => expect(answers).toHaveLength(1));
  await act(async () => answers[0]?.(NONE));
  list.unmount();
  return { client, open, app };
}

/** What a list does when it is drawn, before it is on screen. */
const drawn = (client: QueryClient) =>
  new InfiniteQueryObserver(client, {
    queryKey: keys.list(FILTER, SORT),
    queryFn: () => core.listMemories({ filter: FILTER, sort: SORT, after: null, limit: 200 }),
    initialPageParam: null as string | null,
    getNextPageParam: () => null,
  });

beforeEach(() => {
  answers.length = 0;
});

test("a list that comes on screen right after a write shows it", async () => {
  const { open, app } = await withHiddenList();
  announce("memories");
  const { result } = open();
  await waitFor(() => expect(answers).toHaveLength(2));
  await act(async () => answers[1]?.(ONE));
  await waitFor(() => expect(result.current.rows).toHaveLength(1));
  app.unmount();
});

test("a list that is drawn but not on screen during a write shows it", async () => {
  const { client, app } = await withHiddenList();
  const list = drawn(client);
  announce("memories");
  const stop = list.subscribe(() => undefined);
  await waitFor(() => expect(answers).toHaveLength(2));
  await act(async () => answers[1]?.(ONE));
  await waitFor(() => expect(list.getCurrentResult().data?.pages[0]?.rows).toHaveLength(1));
  stop();
  app.unmount();
});

test("what is read page by page and not on screen is dropped with the change", async () => {
  const { client, app } = await withHiddenList();
  const topics = Object.entries(refreshedByPage);
  expect(topics.length).toBeGreaterThan(0);
  for (const [topic, prefix] of topics) {
    const queryKey = [...prefix, "hidden"];
    client.setQueryData(queryKey, "before");
    announce(topic as ChangeTopic);
    expect(client.getQueryData(queryKey), topic).toBeUndefined();
  }
  app.unmount();
});
