import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** True while somebody reads a query. */
export const isBeingRead = (client: QueryClient, queryKey: QueryKey) =>
  client.isFetching({ queryKey, exact: true }) > 0;

/** Waits until nobody reads a query. What is being read when a change comes may be from before it. */
export function settled(client: QueryClient, queryKey: QueryKey): Promise<void> {
  if (!isBeingRead(client, queryKey)) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = client.getQueryCache().subscribe(() => {
      if (isBeingRead(client, queryKey)) return;
      stop();
      resolve();
    });
  });
}

/**
 * Reads again what a change made stale. A query that is read for the first time would go on with its answer from before
 * the change, and nothing would ask again: it is begun anew.
 */
export async function reread(client: QueryClient, queryKey: QueryKey): Promise<void> {
  await client.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
  await client.invalidateQueries({ queryKey });
}
