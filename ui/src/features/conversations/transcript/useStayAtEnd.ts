import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** Distance from the end, in pixels, within which somebody who scrolls down counts as back at the end. */
const NEAR = 40;

type Where = {
  /** Names the conversation and the message that was looked for; another one starts anew. */
  way: string;
  /** Whether the newest message is loaded. */
  whole: boolean;
  /** Whether the transcript opens at its end. */
  atEnd: boolean;
};

/**
 * Keeps a transcript at its end while its height changes, until somebody scrolls up. The virtual list's own way to
 * follow loses the end when an answer grows by more than its threshold between two measurements.
 */
export function useStayAtEnd(box: RefObject<HTMLElement | null>, height: number, where: Where) {
  const staying = useRef(where.atEnd);
  const way = useRef(where.way);
  if (way.current !== where.way) {
    way.current = where.way;
    staying.current = where.atEnd;
  }

  const element = box.current;
  useEffect(() => {
    if (!element) return;
    let top = element.scrollTop;
    const scrolled = () => {
      const left = element.scrollHeight - element.clientHeight - element.scrollTop;
      // Growth does not scroll up; a person does.
      if (element.scrollTop < top - 1 && left > 4) staying.current = false;
      else if (left <= NEAR) staying.current = true;
      top = element.scrollTop;
    };
    element.addEventListener("scroll", scrolled, { passive: true });
    return () => element.removeEventListener("scroll", scrolled);
  }, [element]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new height is why it scrolls
  useLayoutEffect(() => {
    if (element && staying.current && where.whole) element.scrollTop = element.scrollHeight;
  }, [element, height, where.whole]);
}
