import { act, renderHook, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { makeClient } from "../testing/queryClient";
import { usePages } from "./usePages";

const KEY = ["broken"];

test("a page that could not be read is not asked for in a circle, but on request", async () => {
  const { wrapper } = makeClient();
  let isBroken = true;
  const read = vi.fn(async (after: string | null) => {
    if (after === null) return { rows: ["a"], next: "a" };
    if (isBroken) throw { code: "internal", message: "The database did not answer.", details: null };
    return { rows: ["b"], next: null };
  });
  const { result } = renderHook(() => usePages(KEY, read, (row) => row), { wrapper });
  await waitFor(() => expect(result.current.more.exists).toBe(true));
  await act(() => result.current.more.load());
  await waitFor(() => expect(result.current.more.error).toMatchObject({ code: "internal" }));
  await act(() => result.current.more.load());
  expect(read).toHaveBeenCalledTimes(2);
  expect(result.current.rows).toEqual(["a"]);
  isBroken = false;
  await act(() => result.current.more.retry());
  await waitFor(() => expect(result.current.rows).toEqual(["a", "b"]));
  expect(result.current.more).toMatchObject({ exists: false, error: null });
});

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
  act(() => void result.current.more.load());
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
