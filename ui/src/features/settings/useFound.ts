import { type RefObject, useEffect, useState } from "react";
import { type Found, find } from "./find";

const NONE: Found[] = [];

/** What a search finds on the page, found anew when a section arrives or changes. */
export function useFound(page: RefObject<HTMLElement | null>, query: string, here: boolean): Found[] {
  const [found, setFound] = useState(NONE);
  useEffect(() => {
    const { current: root } = page;
    if (!root || !here || query.trim() === "") {
      setFound(NONE);
      return;
    }
    const look = () => setFound(find(root, query));
    look();
    const watcher = new MutationObserver(look);
    watcher.observe(root, { childList: true, characterData: true, subtree: true });
    return () => watcher.disconnect();
  }, [page, query, here]);
  return found;
}
