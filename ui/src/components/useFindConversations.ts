import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { allConversationsQuery, titledConversationsQuery } from "../ipc/queries";

/**
 * The conversations among which a typed title is looked for: the newest ones, and of the others those whose title has the
 * typed words. They are the core's to find only if there are more than are read at once.
 */
export function useFindConversations(typed: string, enabled = true) {
  const newest = useQuery({ ...allConversationsQuery, enabled });
  const words = typed.trim();
  const hasMore = newest.data !== undefined && newest.data.next !== null;
  const titled = useQuery({
    ...titledConversationsQuery(words),
    enabled: enabled && hasMore && words !== "",
    placeholderData: keepPreviousData,
  });
  const [all, found] = [newest.data?.rows, words === "" ? undefined : titled.data?.rows];
  const rows = useMemo(() => {
    if (!all || !found) return all;
    const ids = new Set(all.map((it) => it.id));
    return [...all, ...found.filter((it) => !ids.has(it.id))];
  }, [all, found]);
  return {
    rows,
    waits: newest.isPending || titled.isFetching,
    error: newest.error ?? titled.error,
    refetch: () => void (newest.error ? newest.refetch() : titled.refetch()),
  };
}
