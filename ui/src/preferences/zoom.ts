import { usePreference } from "./preference";
import { zoom } from "./preferences";

type Zoom = ReturnType<typeof zoom.get>;

const factorOf = (percent: string): number => Number(percent) / 100;

/** By how much everything in the window is larger than it was designed. */
export const zoomFactor = (): number => factorOf(zoom.get());
export const useZoomFactor = (): number => factorOf(usePreference(zoom));

/** The next value up or down; undefined at the end. */
export function nextZoom(current: Zoom, by: 1 | -1) {
  return zoom.values[zoom.values.indexOf(current) + by];
}

export function zoomBy(by: 1 | -1): void {
  const next = nextZoom(zoom.get(), by);
  if (next) zoom.set(next);
}

/** A length of the design, which grows with the zoom: the root of the page is 16 pixels at 100 %. */
export const rem = (pixels: number): string => `${pixels / 16}rem`;
