import { useSyncExternalStore } from "react";

/**
 * Whether a single letter, digit or sign is a shortcut. Somebody who speaks to the computer, or whose hand slips, can
 * switch that off (WCAG 2.1.4). A matter of this window alone, so it is kept with it.
 */
const KEY = "inklings.singleKeys";
const listeners = new Set<() => void>();

export function singleKeys(): boolean {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return true;
  }
}

export function setSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, "off");
  } catch {
    // Storage can be switched off; the shortcuts stay on then.
  }
  for (const listener of listeners) listener();
}

/** True for a name of `Action.keys` that is one character without Ctrl, Alt or the like. */
export const isSingleKey = (name: string): boolean => [...name].length === 1;

export function useSingleKeys(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, singleKeys);
}
