import { type RefObject, useEffect } from "react";
import { goTo } from "./goTo";
import type { Section } from "./view";

const HANDS = ["wheel", "pointerdown", "keydown"] as const;

/**
 * Brings the section into view that a link asked for, and gives its heading the focus. Sections above it that come later would push it away, so it is
 * brought back until somebody scrolls, presses a key or clicks.
 */
export function useWanted(
  page: RefObject<HTMLElement | null>,
  section: Section | undefined,
  here: boolean,
): void {
  useEffect(() => {
    const { current: root } = page;
    const place = root?.querySelector<HTMLElement>(`[data-section="${section}"]`);
    if (!root || !place || !here) return;
    const watcher = new ResizeObserver(() => {
      // Its heading may be one of those that come later.
      if (place.contains(document.activeElement)) place.scrollIntoView({ block: "start" });
      else goTo(place);
    });
    watcher.observe(root);
    goTo(place);
    const stop = () => watcher.disconnect();
    for (const it of HANDS) window.addEventListener(it, stop, { once: true, capture: true });
    return () => {
      stop();
      for (const it of HANDS) window.removeEventListener(it, stop, { capture: true });
    };
  }, [page, section, here]);
}
