import { type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useMorePages } from "./useMorePages";

/** A list read page after page by keyset. A row that moved between two reads is shown once. */
export function usePages<T, More = unknown>(
  queryKey: QueryKey,
  read: (after: string | null) => Promise<{ rows: T[]; next: string | null } & More>,
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
  const { data } = query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: how a row is named does not change
  const rows = useMemo(() => {
    const seen = new Map<string, T>();
    for (const page of data?.pages ?? [])
      for (const row of page.rows) if (!seen.has(idOf(row))) seen.set(idOf(row), row);
    return [...seen.values()];
  }, [data]);
  return { ...query, rows, more: useMorePages(queryKey, query) };
}
