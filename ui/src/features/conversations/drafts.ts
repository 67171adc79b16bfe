import { useSyncExternalStore } from "react";

type Draft = { text: string; files: readonly string[] };

const NOTHING: Draft = { text: "", files: [] };

/**
 * Words not yet said and the files to attach to them, by conversation. They outlive navigation, but only in RAM: what the
 * browser stores would survive a deletion, and gone must mean gone.
 */
const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

function publish() {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const draftOf = (id: string): Draft => drafts.get(id) ?? NOTHING;

function set(id: string, draft: Draft): void {
  if (draft.text === "" && draft.files.length === 0) drafts.delete(id);
  else drafts.set(id, draft);
  publish();
}

export function setUnsaid(id: string, text: string): void {
  set(id, { ...draftOf(id), text });
}

/** Files by their paths, each once. */
export function setAttached(id: string, files: readonly string[]): void {
  set(id, { ...draftOf(id), files: [...new Set(files)] });
}

export function dropUnsaid(id?: string): void {
  if (id === undefined) drafts.clear();
  else drafts.delete(id);
  publish();
}

export function useUnsaid(id: string): string {
  return useSyncExternalStore(subscribe, () => draftOf(id).text);
}

export function useAttached(id: string): readonly string[] {
  return useSyncExternalStore(subscribe, () => draftOf(id).files);
}
