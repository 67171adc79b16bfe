import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { TYPING_REST } from "../../../components/hooks";
import type { MemoryFilter } from "../../../ipc/bindings.gen";
import { core } from "../../../ipc/client";
import { searchQuery, searchRequest } from "../../../ipc/queries";

/** What a search found: at once the first hits, as many as a window shows; the others when typing rests. */
export function useFound(query: string, filter: MemoryFilter) {
  const client = useQueryClient();
  const search = useQuery(searchQuery(query, filter));
  const first = search.data;
  const partial = first?.more === true && !search.isPlaceholderData;
  useEffect(() => {
    if (!partial) return;
    let current = true;
    const timer = setTimeout(() => {
      core.searchMemories(searchRequest(query, filter, null)).then(
        (whole) => {
          // Something newer may have come in between; it is not replaced by what was read before.
          const { queryKey } = searchQuery(query, filter);
          if (current && client.getQueryData(queryKey) === first) client.setQueryData(queryKey, whole);
        },
        // The first ones stay. A core that cannot answer says so with the next search.
        () => undefined,
      );
    }, TYPING_REST);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [client, query, filter, partial, first]);
  return search;
}
