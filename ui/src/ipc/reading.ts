import { queryOptions } from "@tanstack/react-query";
import type { MemoryDetail, MemoryFilter, Sort } from "./bindings.gen";
import { core } from "./client";
import { hasCode } from "./errors";
import { keys } from "./keys";
import { READ_MOST, searchRequest } from "./queries";

/** Rows that are asked for at once while chosen ones are looked for. */
const PAGE = 500;

export type ReadingRequest = {
  filter: MemoryFilter;
  sort: Sort;
  /** The words of a search; empty for the list. */
  query: string;
  /** What was chosen; `null` for all of it. */
  ids: readonly string[] | null;
};

type Found = { ids: string[]; hasMore: boolean };

/** The first memories of a list or a search, in its order. */
async function first({ filter, sort, query }: ReadingRequest): Promise<Found> {
  if (query !== "") {
    const { hits } = await core.searchMemories(searchRequest(query, filter, null));
    return { ids: hits.slice(0, READ_MOST).map(({ row }) => row.id), hasMore: hits.length > READ_MOST };
  }
  const { rows, next } = await core.listMemories({ filter, sort, after: null, limit: READ_MOST });
  return { ids: rows.map(({ id }) => id), hasMore: next !== null };
}

/** Which of the chosen ones a lens shows: the core says so of lists and searches, and of no single memory. */
async function shown(ids: readonly string[], { filter, sort, query }: ReadingRequest): Promise<string[]> {
  const wanted = new Set(ids);
  const found = new Set<string>();
  const take = (id: string) => wanted.has(id) && found.add(id);
  if (query !== "") {
    const { hits } = await core.searchMemories(searchRequest(query, filter, null));
    for (const { row } of hits) take(row.id);
  } else {
    let after: string | null = null;
    do {
      const page = await core.listMemories({ filter, sort, after, limit: PAGE });
      for (const { id } of page.rows) take(id);
      after = page.next;
    } while (after !== null && found.size < wanted.size);
  }
  return ids.filter((id) => found.has(id));
}

async function chosen(ids: readonly string[], request: ReadingRequest): Promise<Found> {
  const all = request.filter.lens === null ? [...ids] : await shown(ids, request);
  return { ids: all, hasMore: false };
}

/** Memories as whole texts, as many as are read at once. What is gone is left out. */
export const readingQuery = (request: ReadingRequest) =>
  queryOptions({
    queryKey: keys.reading(request),
    queryFn: async () => {
      const { ids, hasMore } = await (request.ids ? chosen(request.ids, request) : first(request));
      const memories = await Promise.all(
        ids.map((id) =>
          core.getMemory(id).catch((error: unknown): null => {
            if (hasCode(error, "not_found")) return null;
            throw error;
          }),
        ),
      );
      return { memories: memories.filter((it): it is MemoryDetail => it !== null), hasMore };
    },
    gcTime: 0,
  });
