import { useLayoutEffect, useRef } from "react";
import { useZoomFactor } from "../preferences/zoom";

/** The height of the rows of a virtual list, in pixels of the screen, from the one in pixels of the design. */
export function useRowHeight(designed: number): number {
  return designed * useZoomFactor();
}

/** Lays a virtual list out anew when its rows get another height: it asks for that once. */
export function useRowsMeasured(virtual: { measure(): void }, height: number): void {
  const before = useRef(height);
  useLayoutEffect(() => {
    if (before.current === height) return;
    before.current = height;
    virtual.measure();
  }, [virtual, height]);
}
