import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useLatest } from "../../components/hooks";
import type { MemoryFilter } from "../../ipc/bindings.gen";
import { searchQuery } from "../../ipc/queries";

/**
 * The words that are asked for, out of those that are typed. They are asked for with the letter that makes them, before
 * anything is drawn. While an answer is on its way the newest words wait for it: so a slow answer is never asked for
 * twice over, and no one waits for a pause in the typing.
 */
export function useAsked(address: string, filter: MemoryFilter) {
  const client = useQueryClient();
  const [query, setQuery] = useState(() => address.trim());
  const latestFilter = useLatest(filter);
  const typed = useRef(query);
  const busy = useRef(false);
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);

  const ask = useCallback(
    (text: string) => {
      typed.current = text.trim();
      if (busy.current && typed.current !== "") return;
      const now = typed.current;
      setQuery(now);
      if (now === "") return;
      busy.current = true;
      // A failure is the list's to show; here it only ends the waiting.
      void client.prefetchQuery(searchQuery(now, latestFilter.current)).finally(() => {
        busy.current = false;
        if (shown.current && typed.current !== now) ask(typed.current);
      });
    },
    [client, latestFilter],
  );
  return [query, ask] as const;
}
