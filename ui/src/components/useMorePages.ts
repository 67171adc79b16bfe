import { type InfiniteData, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { settled } from "../ipc/refresh";

/** How often a page is asked for that changes cancel. */
const ATTEMPTS = 10;

/** A list that is read page after page. */
export type Pages = {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  error: unknown;
  fetchNextPage(): Promise<{ isFetchNextPageError: boolean }>;
};

/** The next page of a list. */
export type MorePages = {
  exists: boolean;
  isLoading: boolean;
  /** Why it could not be read; null if it was not tried. */
  error: unknown;
  /** Reads it, unless it could not be read: what a list does by itself would ask in a circle. */
  load(): Promise<void>;
  /** Reads it also then. */
  retry(): Promise<void>;
};

/**
 * Asks for the next page of a list. A change that comes meanwhile reads the pages anew and cancels the next one: it is asked for
 * again behind that.
 */
export function useMorePages(queryKey: QueryKey, query: Pages): MorePages {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const client = useQueryClient();
  const error = isFetchNextPageError ? query.error : null;
  const retry = useCallback(async () => {
    if (!hasNextPage || isFetchingNextPage) return;
    const count = () => client.getQueryData<InfiniteData<unknown>>(queryKey)?.pages.length;
    const before = count();
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const { isFetchNextPageError: hasFailed } = await fetchNextPage();
      await settled(client, queryKey);
      if (hasFailed || count() !== before) return;
    }
  }, [client, queryKey, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const load = useCallback(async () => {
    if (!isFetchNextPageError) await retry();
  }, [isFetchNextPageError, retry]);
  return useMemo(
    () => ({ exists: hasNextPage, isLoading: isFetchingNextPage, error, load, retry }),
    [hasNextPage, isFetchingNextPage, error, load, retry],
  );
}
