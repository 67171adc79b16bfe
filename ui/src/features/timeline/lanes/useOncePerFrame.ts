import { useCallback, useEffect, useRef } from "react";

/** Draws at once, but only once in a frame: what changes again in the same frame is drawn in the next one. */
export function useOncePerFrame(): (draw: () => void) => void {
  const last = useRef<unknown>(undefined);
  const waiting = useRef(0);
  useEffect(() => () => cancelAnimationFrame(waiting.current), []);
  return useCallback((draw) => {
    cancelAnimationFrame(waiting.current);
    const frame = document.timeline?.currentTime ?? performance.now();
    if (frame !== last.current) {
      last.current = frame;
      draw();
      return;
    }
    waiting.current = requestAnimationFrame(() => {
      last.current = document.timeline?.currentTime;
      draw();
    });
  }, []);
}
