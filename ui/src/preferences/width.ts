import { useSyncExternalStore } from "react";
import { useZoomFactor, zoomFactor } from "./zoom";

/** The widths that the styles know by name: the least, in pixels of the design. */
const WIDTHS = { sm: 640, md: 768, lg: 1024 };
/** Below it the window is narrow: a small one, or one that is zoomed. */
const NARROW = 896;

function onResize(listener: () => void): () => void {
  window.addEventListener("resize", listener);
  return () => window.removeEventListener("resize", listener);
}

/** How wide the window is in pixels of the design. */
const widthNow = (): number => window.innerWidth / zoomFactor();

/** Whether the window has room for so many pixels of the design beside one another. */
export function useMinWidth(pixels: number): boolean {
  // Asked anew when the zoom changes, too.
  useZoomFactor();
  return useSyncExternalStore(onResize, () => widthNow() >= pixels);
}

export const useIsNarrow = (): boolean => !useMinWidth(NARROW);

/** The names of the widths that the window has, for `data-width`. */
export function useWidthNames(): string {
  useZoomFactor();
  return useSyncExternalStore(onResize, () => {
    const width = widthNow();
    const names = Object.entries(WIDTHS).flatMap(([name, least]) => (width >= least ? [name] : []));
    return [...(width < NARROW ? ["narrow"] : []), ...names].join(" ");
  });
}
