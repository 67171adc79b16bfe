import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useLatest } from "../../components/hooks";
import type { MemoryFilter } from "../../ipc/bindings.gen";
import { searchQuery } from "../../ipc/queries";

/** How long an answer may take before the page shows what it waits for. */
const PATIENCE = 250;

/**
 * The words whose answer is shown, out of those that are typed. They are asked for with the letter that makes them,
 * before anything is drawn, and shown when their answer is there: so a letter draws the list once, not once to wait and
 * once more. While an answer is on its way the newest words wait for it: so a slow answer is never asked for twice
 * over, and no one waits for a pause in the typing.
 */
export function useSearchedText(address: string, filter: MemoryFilter) {
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
      if (now === "") {
        setQuery(now);
        return;
      }
      busy.current = true;
      // A field that was cleared shows nothing of what it held before.
      const show = () => {
        if (shown.current && typed.current !== "") setQuery(now);
      };
      const waiting = setTimeout(show, PATIENCE);
      // A failure is the list's to show; here it only ends the waiting.
      void client.prefetchQuery(searchQuery(now, latestFilter.current)).finally(() => {
        busy.current = false;
        clearTimeout(waiting);
        show();
        if (shown.current && typed.current !== now) ask(typed.current);
      });
    },
    [client, latestFilter],
  );
  return [query, ask] as const;
}
