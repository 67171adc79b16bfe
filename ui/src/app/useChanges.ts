import { type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ChangeTopic } from "../ipc/bindings.gen";
import { heldEntries, onChange } from "../ipc/changes";
import { entryOf, refreshedByPage, staleAfter } from "../ipc/keys";
import { reread } from "../ipc/refresh";

/**
 * Drops what is not on screen of the pages that refresh themselves: they start afresh when they come back. This happens at
 * once, because a list that comes on screen a moment later has not heard of the change. One that is just being put on
 * screen holds its query already, so the query is made stale too.
 */
function dropHidden(client: QueryClient, queryKey: QueryKey): void {
  const hidden = { queryKey, type: "inactive" } as const;
  void client.invalidateQueries({ ...hidden, refetchType: "none" });
  client.removeQueries(hidden);
}

/**
 * Makes stale what a change touched. A burst of writes (an import, a sweep) costs one refresh. An entry that this window
 * wrote is in the cache already, and is not read again for its own write.
 */
export function useChanges(): void {
  const client = useQueryClient();
  useEffect(() => {
    const topics = new Set<ChangeTopic>();
    let written: (readonly string[] | null)[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onChange((topic, changes) => {
      const pages = refreshedByPage[topic];
      if (pages) dropHidden(client, pages);
      topics.add(topic);
      if (topic === "memories" || topic === "models") written.push(changes);
      clearTimeout(timer);
      timer = setTimeout(() => {
        const held = heldEntries(written);
        written = [];
        const isHeld = (queryKey: QueryKey) => held.has(entryOf(queryKey) ?? "");
        for (const changed of topics) {
          for (const queryKey of staleAfter[changed]) void reread(client, queryKey, isHeld);
        }
        topics.clear();
      }, 30);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [client]);
}
