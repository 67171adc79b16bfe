import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ChangeTopic } from "../ipc/bindings.gen";
import { heldEntries, onChange } from "../ipc/changes";
import { entryOf, keys, staleAfter } from "../ipc/keys";
import { reread } from "../ipc/refresh";

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
      topics.add(topic);
      if (topic === "memories" || topic === "models") written.push(changes);
      clearTimeout(timer);
      timer = setTimeout(() => {
        const held = heldEntries(written);
        written = [];
        const isHeld = (queryKey: QueryKey) => held.has(entryOf(queryKey) ?? "");
        for (const changed of topics) {
          // Lists that are not on screen start afresh when they come back; the one that is refreshes itself.
          if (changed === "memories") client.removeQueries({ queryKey: keys.lists, type: "inactive" });
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
