import type { QueryClient } from "@tanstack/react-query";
import type { ChangeTopic, WriteResult } from "./bindings.gen";
import { onDataChanged } from "./events";
import { keys } from "./keys";

/** The journalled changes behind a change of memory; null if there is more to it. */
type Changes = readonly string[] | null;
type Listener = (topic: ChangeTopic, changes: Changes) => void;

const listeners = new Set<Listener>();
let stop: (() => void) | undefined;

/** Writes of this window that are not answered yet, each with what touched memory since it was sent. */
const unanswered = new Set<Changes[]>();
/** Changes by this window whose answers are in the cache, each with its entry. */
const answered = new Map<string, string>();
/** The events of older ones have come long ago. */
const MOST_ANSWERED = 100;

/** Tells every view of a change that the core has no event for. The core announces every write, also those of this window. */
export function announce(topic: ChangeTopic, changes: Changes = null): void {
  if (topic === "memories" || topic === "models") for (const since of unanswered) since.push(changes);
  for (const listener of listeners) listener(topic, changes);
}

/** Hears of every change, whoever made it. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  stop ??= onDataChanged(({ topic, changes }) => announce(topic, changes));
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      stop?.();
      stop = undefined;
    }
  };
}

/**
 * Writes an entry and puts the answer into the cache. If nobody else touched memory meanwhile, the cache then holds what
 * the core has, and the entry is not read again when the core announces the write.
 */
export async function writeEntry(
  client: QueryClient,
  work: () => Promise<WriteResult>,
): Promise<WriteResult> {
  const since: Changes[] = [];
  unanswered.add(since);
  try {
    const result = await work();
    const { changeId } = result.change;
    const queryKey = keys.detail(result.detail.row.id);
    const isOwn = (id: string) => id === changeId || answered.has(id);
    const areAllOwn = since.every((changes) => changes?.every(isOwn));
    // What is being read may be from before the write, and would come after it.
    if (areAllOwn) await client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, result.detail);
    if (areAllOwn) hold(changeId, result.detail.row.id);
    else void client.invalidateQueries({ queryKey });
    return result;
  } finally {
    unanswered.delete(since);
  }
}

function hold(changeId: string, entry: string): void {
  answered.set(changeId, entry);
  const [oldest] = answered.keys();
  if (oldest !== undefined && answered.size > MOST_ANSWERED) answered.delete(oldest);
}

/** The entries that the cache holds as these changes left them: none if somebody else made one of the changes. */
export function heldEntries(changes: readonly Changes[]): ReadonlySet<string> {
  const entries = new Set<string>();
  for (const id of changes.flatMap((batch): readonly (string | null)[] => batch ?? [null])) {
    const entry = id === null ? undefined : answered.get(id);
    if (entry === undefined) return new Set();
    entries.add(entry);
  }
  return entries;
}
