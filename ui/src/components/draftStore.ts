import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import type { MessageKey } from "../i18n/messages";

type Options<T> = {
  /** What the window says about unsaved drafts before it closes. The message takes their `count`. */
  closeBody: MessageKey;
  /** Whether closing the window would lose something. Without it every draft counts. */
  isUnsaved?(draft: T): boolean;
  /** Saves what can be saved without asking, before the window closes. */
  save?(client: QueryClient): Promise<unknown>;
  onDrop?(id: string): void;
};

/** Texts that were begun, each by the id of what it belongs to. */
export type DraftStore<T> = {
  get(id: string): T | undefined;
  set(id: string, draft: T): void;
  drop(id: string): void;
  ids(): readonly string[];
  useDraft(id: string): T | undefined;
  /** The ids of all drafts that closing the window would lose. */
  useUnsavedIds(): readonly string[];
};

type Member = {
  save(client: QueryClient): Promise<unknown>;
  countUnsaved(): number;
  dropAll(): void;
};

const stores = new Map<MessageKey, Member>();
const listeners = new Set<() => void>();
let unsaved = 0;

function publish() {
  unsaved = [...stores.values()].reduce((sum, store) => sum + store.countUnsaved(), 0);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * A store of drafts. They outlive navigation, but only in RAM: memory text in the browser's storage would survive a scrub,
 * and gone must mean gone. The window asks about every store before it closes.
 */
export function draftStore<T>(options: Options<T>): DraftStore<T> {
  const { closeBody, isUnsaved = () => true, save = async () => undefined, onDrop } = options;
  const drafts = new Map<string, T>();
  let ids: readonly string[] = [];
  const change = () => {
    ids = [...drafts].filter(([, draft]) => isUnsaved(draft)).map(([id]) => id);
    publish();
  };
  const get = (id: string) => drafts.get(id);
  const drop = (id: string) => {
    onDrop?.(id);
    if (drafts.delete(id)) change();
  };
  stores.set(closeBody, {
    save,
    countUnsaved: () => ids.length,
    dropAll: () => {
      for (const id of [...drafts.keys()]) drop(id);
    },
  });
  return {
    get,
    set: (id, draft) => {
      drafts.set(id, draft);
      change();
    },
    drop,
    ids: () => [...drafts.keys()],
    useDraft: (id) => useSyncExternalStore(subscribe, () => get(id)),
    useUnsavedIds: () => useSyncExternalStore(subscribe, () => ids),
  };
}

/** Whether closing the window would lose a draft, or has to save one first. */
export const useHasUnsaved = (): boolean => useSyncExternalStore(subscribe, () => unsaved > 0);

/** Saves the drafts that can be saved without asking. */
export async function saveDrafts(client: QueryClient): Promise<void> {
  await Promise.all([...stores.values()].map((store) => store.save(client)));
}

/** How many drafts of each store closing the window would lose. Stores without any are left out. */
export const unsavedDrafts = (): { closeBody: MessageKey; count: number }[] =>
  [...stores]
    .map(([closeBody, store]) => ({ closeBody, count: store.countUnsaved() }))
    .filter(({ count }) => count > 0);

/** The messages of all stores. */
export const draftStores = (): MessageKey[] => [...stores.keys()];

export function dropAllDrafts(): void {
  for (const store of stores.values()) store.dropAll();
}
