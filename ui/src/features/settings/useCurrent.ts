import { type RefObject, useEffect, useState } from "react";
import type { Section } from "./view";

/** The section that stands at the top of the window while the page is scrolled. */
export function useCurrent(page: RefObject<HTMLElement | null>, here: boolean): Section | undefined {
  const [current, setCurrent] = useState<Section>();
  useEffect(() => {
    const { current: root } = page;
    if (!root || !here) return;
    const seen = new Set<Element>();
    const places = [...root.querySelectorAll<HTMLElement>("[data-section]")];
    const watcher = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting) seen.add(target);
          else seen.delete(target);
        const first = places.find((it) => seen.has(it));
        if (first) setCurrent(first.dataset.section as Section);
      },
      // The upper fifth of the window, below the edge at which a section ends that a link leads to.
      { rootMargin: "-24px 0px -80% 0px" },
    );
    for (const place of places) watcher.observe(place);
    return () => watcher.disconnect();
  }, [page, here]);
  return current;
}
