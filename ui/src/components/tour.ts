import { useSyncExternalStore } from "react";
import { preference } from "../preferences/preference";

/** Whether the tour was shown on this computer: it comes by itself once at most. */
const shown = preference("tour", ["no", "yes"], "no");

const listeners = new Set<() => void>();
let isOpen = false;

function set(open: boolean): void {
  isOpen = open;
  for (const listener of listeners) listener();
}

export function startTour(): void {
  shown.set("yes");
  set(true);
}

/** Begins the tour, unless it was shown before. */
export function offerTour(): void {
  if (shown.get() === "no") startTour();
}

export const endTour = (): void => set(false);

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useTour = (): boolean => useSyncExternalStore(subscribe, () => isOpen);
