import { hashKey, type QueryClient, type QueryKey } from "@tanstack/react-query";

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

/** Queries that show a write before the core answers: how many writes, and whether the data became stale meanwhile. */
const ahead = new Map<string, { writes: number; stale: boolean }>();

/** True if a query shows a write that is not answered yet. It is read behind the answer. */
function isAhead(queryKey: QueryKey): boolean {
  const write = ahead.get(hashKey(queryKey));
  if (write) write.stale = true;
  return write !== undefined;
}

/**
 * Shows a change before the core answers, and takes it back if the core refuses it. What is read during the write may be
 * from before it, so nothing is read until the answer is there.
 */
export async function writeAhead<T>(
  client: QueryClient,
  queryKey: QueryKey,
  next: T,
  work: () => Promise<unknown>,
): Promise<void> {
  const hash = hashKey(queryKey);
  const write = ahead.get(hash) ?? { writes: 0, stale: false };
  write.writes += 1;
  ahead.set(hash, write);
  await client.cancelQueries({ queryKey });
  const before = client.getQueryData<T>(queryKey);
  client.setQueryData(queryKey, next);
  try {
    await work();
  } catch (error) {
    client.setQueryData(queryKey, before);
    throw error;
  } finally {
    write.writes -= 1;
    if (write.writes === 0) {
      ahead.delete(hash);
      if (write.stale) void client.invalidateQueries({ queryKey });
    }
  }
}

/**
 * Reads again what a change made stale, but for queries whose data are from after it. A query that is read for the first
 * time would go on with its answer from before the change, and nothing would ask again: it is begun anew.
 */
export async function reread(
  client: QueryClient,
  queryKey: QueryKey,
  isFresh: (queryKey: QueryKey) => boolean = () => false,
): Promise<void> {
  await client.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
  await client.invalidateQueries({
    queryKey,
    predicate: (query) => !isFresh(query.queryKey) && !isAhead(query.queryKey),
  });
}
