import { act, renderHook, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { makeClient } from "../testing/queryClient";
import { usePages } from "./usePages";

test("a page that is asked for during changes is loaded behind them", async () => {
  const { client, wrapper } = makeClient();
  const asked: { after: string | null; answer(): void }[] = [];
  const read = (after: string | null) =>
    new Promise<{ rows: string[]; next: string | null }>((resolve) =>
      asked.push({
        after,
        answer: () => resolve(after === null ? { rows: ["a"], next: "a" } : { rows: ["b"], next: null }),
      }),
    );
  const key = ["pages"];
  const { result } = renderHook(() => usePages(key, read, (row) => row), { wrapper });
  await waitFor(() => expect(asked).toHaveLength(1));
  await act(async () => asked[0]?.answer());
  await waitFor(() => expect(result.current.hasNextPage).toBe(true));
  act(() => void result.current.more());
  await waitFor(() => expect(asked[1]?.after).toBe("a"));
  // Two changes, one after another: each reads the first page anew and cancels the second.
  for (const at of [2, 4]) {
    act(() => void client.invalidateQueries({ queryKey: key }));
    await waitFor(() => expect(asked[at]?.after).toBeNull());
    await act(async () => asked[at - 1]?.answer());
    await act(async () => asked[at]?.answer());
    await waitFor(() => expect(asked[at + 1]?.after).toBe("a"));
  }
  await act(async () => asked[5]?.answer());
  await waitFor(() => expect(result.current.rows).toEqual(["a", "b"]));
});
