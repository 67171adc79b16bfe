import { useSyncExternalStore } from "react";

/**
 * Words not yet said, by conversation. They outlive navigation, but only in RAM: what the browser stores would
 * survive a deletion, and gone must mean gone.
 */
const drafts = new Map<string, string>();
const listeners = new Set<() => void>();

function publish() {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function setUnsaid(id: string, text: string): void {
  if (text === "") drafts.delete(id);
  else drafts.set(id, text);
  publish();
}

export function dropUnsaid(): void {
  drafts.clear();
  publish();
}

export function useUnsaid(id: string): string {
  return useSyncExternalStore(subscribe, () => drafts.get(id) ?? "");
}
