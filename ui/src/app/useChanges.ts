import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ChangeTopic } from "../ipc/bindings.gen";
import { onChange } from "../ipc/changes";
import { keys, staleAfter } from "../ipc/keys";
import { reread } from "../ipc/refresh";

/** Makes stale what a change touched. A burst of writes (an import, a sweep) costs one refresh. */
export function useChanges(): void {
  const client = useQueryClient();
  useEffect(() => {
    const topics = new Set<ChangeTopic>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onChange((topic) => {
      topics.add(topic);
      clearTimeout(timer);
      timer = setTimeout(() => {
        for (const changed of topics) {
          // Lists that are not on screen start afresh when they come back; the one that is refreshes itself.
          if (changed === "memories") client.removeQueries({ queryKey: keys.lists, type: "inactive" });
          for (const queryKey of staleAfter[changed]) void reread(client, queryKey);
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
