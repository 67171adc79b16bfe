import { act, renderHook, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { JournalPage, JournalView } from "../../ipc/bindings.gen";
import { announce } from "../../ipc/changes";
import { makeClient } from "../../testing/queryClient";
import { useJournal } from "./useJournal";

type Asked = { after: string | null; answer(page: JournalPage): void };
const { asked } = vi.hoisted(() => ({ asked: [] as Asked[] }));

vi.mock("../../ipc/client", () => ({
  core: {
    listChanges: (_: unknown, after: string | null) =>
      new Promise<JournalPage>((resolve) => asked.push({ after, answer: resolve })),
  },
}));
vi.mock("../../ipc/events", () => ({ onDataChanged: () => () => undefined }));

const row = (changeId: string) => ({ changeId, undoes: null, undoneBy: null }) as JournalView;
function open() {
  const { wrapper } = makeClient();
  const { result } = renderHook(() => useJournal(null), { wrapper });
  const answer = (at: number, ids: string, next: string | null = null) =>
    act(async () => asked[at]?.answer({ rows: [...ids].map(row), next }));
  return { result, answer, shown: () => result.current.rows.map((it) => it.changeId).join("") };
}

beforeEach(() => {
  asked.length = 0;
});

test("a change during the first read of the journal is in the journal", async () => {
  const { answer, shown } = open();
  await waitFor(() => expect(asked).toHaveLength(1));
  announce("memories");
  await waitFor(() => expect(asked).toHaveLength(2));
  await answer(1, "ba");
  await answer(0, "a");
  await waitFor(() => expect(shown()).toBe("ba"));
});

test("a change while the next page is read stays in the journal", async () => {
  const { result, answer, shown } = open();
  await waitFor(() => expect(asked).toHaveLength(1));
  await answer(0, "dc", "c");
  await waitFor(() => expect(result.current.hasNextPage).toBe(true));
  act(() => void result.current.more.load());
  await waitFor(() => expect(asked[1]?.after).toBe("c"));
  announce("memories");
  await waitFor(() => expect(asked[2]?.after).toBeNull());
  await answer(2, "edc", "c");
  await answer(1, "ba");
  await waitFor(() => expect(shown()).toBe("edcba"));
});
