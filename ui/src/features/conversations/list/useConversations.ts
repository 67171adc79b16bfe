import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ConversationStatus, ConversationView } from "../../../ipc/bindings.gen";
import { core } from "../../../ipc/client";
import { keys } from "../../../ipc/keys";

const PAGE = 100;

/** Conversations by their latest activity, page after page by keyset. */
export function useConversations(channelId: string | null, statuses: readonly ConversationStatus[]) {
  const query = useInfiniteQuery({
    queryKey: keys.conversationList(channelId, statuses),
    queryFn: ({ pageParam }) =>
      core.listConversations({
        channelId,
        statuses: [...statuses],
        title: null,
        after: pageParam,
        limit: PAGE,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    gcTime: 60_000,
  });
  const rows = useMemo(() => {
    const seen = new Map<string, ConversationView>();
    for (const page of query.data?.pages ?? [])
      for (const row of page.rows) if (!seen.has(row.id)) seen.set(row.id, row);
    return [...seen.values()];
  }, [query.data]);
  return { ...query, rows };
}
