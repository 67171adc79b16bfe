import { useSyncExternalStore } from "react";
import type { MemoryDetail } from "../../ipc/bindings.gen";

/**
 * Edits that are not saved. They outlive navigation, but only in RAM: memory text in the browser's storage would
 * survive a scrub, and gone must mean gone.
 */
export type Draft = {
  content: string;
  /** The version this edit began from. */
  base: number;
  /** The version that was saved by someone else when this one tried. */
  conflict: MemoryDetail | null;
  /** A merge by hand that has begun. */
  merged?: string | null;
};

const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();
let ids: readonly string[] = [];

function publish() {
  ids = [...drafts.keys()];
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function getDraft(id: string): Draft | undefined {
  return drafts.get(id);
}

export function setDraft(id: string, draft: Draft): void {
  drafts.set(id, draft);
  publish();
}

export function dropDraft(id: string): void {
  if (drafts.delete(id)) publish();
}

export function dropAllDrafts(): void {
  drafts.clear();
  publish();
}

/** Own writes to other fields move the version on without touching the text: the edit goes on from there. */
export function rebaseDraft(id: string, from: number, to: number): void {
  const draft = drafts.get(id);
  if (draft && draft.base === from) setDraft(id, { ...draft, base: to });
}

export function useDraft(id: string): Draft | undefined {
  return useSyncExternalStore(subscribe, () => drafts.get(id));
}

/** The ids of all memories with an unsaved edit. */
export function useDraftIds(): readonly string[] {
  return useSyncExternalStore(subscribe, () => ids);
}
