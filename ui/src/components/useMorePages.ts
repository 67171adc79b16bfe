import { type InfiniteData, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { settled } from "../ipc/refresh";

/** How often a page is asked for that changes cancel. */
const ATTEMPTS = 10;

/** A list that is read page after page. */
export type Pages = {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage(): Promise<{ isFetchNextPageError: boolean }>;
};

/**
 * Asks for the next page of a list. A change that comes meanwhile reads the pages anew and cancels the next one: it is asked for
 * again behind that.
 */
export function useMorePages(queryKey: QueryKey, { hasNextPage, isFetchingNextPage, fetchNextPage }: Pages) {
  const client = useQueryClient();
  return useCallback(async () => {
    if (!hasNextPage || isFetchingNextPage) return;
    const count = () => client.getQueryData<InfiniteData<unknown>>(queryKey)?.pages.length;
    const before = count();
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const { isFetchNextPageError: hasFailed } = await fetchNextPage();
      await settled(client, queryKey);
      if (hasFailed || count() !== before) return;
    }
  }, [client, queryKey, hasNextPage, isFetchingNextPage, fetchNextPage]);
}
