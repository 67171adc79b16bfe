import { type InfiniteData, type QueryKey, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { settled } from "../ipc/refresh";

/** A list read page after page by keyset. A row that moved between two reads is shown once. */
export function usePages<T>(
  queryKey: QueryKey,
  read: (after: string | null) => Promise<{ rows: T[]; next: string | null }>,
  idOf: (row: T) => string,
  gcTime = 60_000,
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    gcTime,
  });
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: how a row is named does not change
  const rows = useMemo(() => {
    const seen = new Map<string, T>();
    for (const page of data?.pages ?? [])
      for (const row of page.rows) if (!seen.has(idOf(row))) seen.set(idOf(row), row);
    return [...seen.values()];
  }, [data]);
  const client = useQueryClient();
  const more = useCallback(async () => {
    // What could not be read is asked for again with the next change, not in a circle.
    if (!hasNextPage || isFetchingNextPage || isFetchNextPageError) return;
    const count = () => client.getQueryData<InfiniteData<unknown>>(queryKey)?.pages.length;
    const before = count();
    const { isFetchNextPageError: hasFailed } = await fetchNextPage();
    // A change that comes meanwhile reads the pages anew and cancels the next one: it is asked for again behind that.
    await settled(client, queryKey);
    if (!hasFailed && count() === before) void fetchNextPage();
  }, [client, queryKey, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  return { ...query, rows, more };
}
