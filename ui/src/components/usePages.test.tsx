import { act, renderHook, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { makeClient } from "../testing/queryClient";
import { usePages } from "./usePages";

test("a page that is asked for during a change is loaded behind the change", async () => {
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
  act(() => void client.invalidateQueries({ queryKey: key }));
  await waitFor(() => expect(asked[2]?.after).toBeNull());
  await act(async () => asked[1]?.answer());
  await act(async () => asked[2]?.answer());
  await waitFor(() => expect(asked[3]?.after).toBe("a"));
  await act(async () => asked[3]?.answer());
  await waitFor(() => expect(result.current.rows).toEqual(["a", "b"]));
});
