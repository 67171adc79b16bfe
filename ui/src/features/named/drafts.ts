import type { QueryClient } from "@tanstack/react-query";
import { type DraftStore, draftStore } from "../../components/draftStore";
import type { MemoryDetail, NamedEntryView } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { hasCode, toCommandError } from "../../ipc/errors";
import { keys } from "../../ipc/keys";

/** What is typed is written once the hand rests this long. */
export const REST_MS = 800;

/**
 * A text that is not on disk yet. It outlives the page, but only in RAM, and is gone as soon as it is saved. Whatever
 * happens to the write, the words stay here until they are kept or put aside on purpose.
 */
export type Draft = {
  content: string;
  /** The text and version it began from. */
  saved: string;
  base: number;
  /** "kept": it is on disk, and stays until the page shows it as the entry itself. */
  state: "waiting" | "saving" | "failed" | "stale" | "kept";
  /** Why it could not be saved, for people. */
  problem: string | null;
  /** What somebody else wrote meanwhile. */
  theirs: MemoryDetail | null;
  /** A merge by hand that has begun. */
  merged: string | null;
};

const timers = new Map<string, ReturnType<typeof setTimeout>>();
const running = new Map<string, Promise<void>>();

const drafts: DraftStore<Draft> = draftStore({
  closeBody: "named.closeBody",
  isUnsaved: ({ state }) => state !== "kept",
  save: (client) => Promise.all(drafts.ids().map((id) => save(client, id))),
  onDrop: (id) => clearTimeout(timers.get(id)),
});
const { set: put } = drafts;
export const { get: getUnsaved, drop: dropUnsaved, useDraft: useUnsaved } = drafts;

/** Puts an entry as it was just written in its place in the list, before the list is read again. */
export function accept(client: QueryClient, entry: NamedEntryView): void {
  client.setQueryData<NamedEntryView[]>(keys.named, (all) =>
    all?.map((it) => (it.id === entry.id ? entry : it)),
  );
}

function later(client: QueryClient, id: string) {
  clearTimeout(timers.get(id));
  timers.set(
    id,
    setTimeout(() => void save(client, id), REST_MS),
  );
}

/** Takes what is typed; it is written when the hand rests. */
export function type(client: QueryClient, entry: NamedEntryView, content: string): void {
  const old = drafts.get(entry.id);
  if (!old && content === entry.content) return;
  const begun = old ?? {
    saved: entry.content,
    base: entry.version,
    state: "waiting" as const,
    problem: null,
    theirs: null,
    merged: null,
  };
  const stale = begun.state === "stale";
  put(entry.id, {
    ...begun,
    content,
    state: stale ? "stale" : "waiting",
    problem: stale ? begun.problem : null,
  });
  // Which of two versions stays is the worldbuilder's to say, not a timer's.
  if (!stale) later(client, entry.id);
}

export function setMerged(id: string, merged: string | null): void {
  const draft = drafts.get(id);
  if (draft) put(id, { ...draft, merged });
}

/** The entry is at another version by our own hand, its text untouched: the edit goes on from there. */
export function rebase(id: string, from: number, to: number): void {
  const draft = drafts.get(id);
  if (draft && draft.base === from) put(id, { ...draft, base: to });
}

/** The entry is there at this version: what is kept by it need not be kept here. */
export function settle(id: string, version: number): void {
  const draft = drafts.get(id);
  if (draft?.state === "kept" && version >= draft.base) dropUnsaved(id);
}

async function write(client: QueryClient, id: string, draft: Draft): Promise<void> {
  put(id, { ...draft, state: "saving", problem: null });
  try {
    const { entry } = await core.writeNamedEntry(id, draft.base, draft.content);
    const now = drafts.get(id);
    if (now && now.content !== draft.content) {
      put(id, { ...now, base: entry.version, saved: entry.content, state: "waiting" });
      later(client, id);
    } else {
      // Until the page has heard of it, the old text must not stand in the editor again.
      put(id, { ...draft, base: entry.version, saved: entry.content, state: "kept" });
      setTimeout(() => settle(id, entry.version), 2_000);
    }
    accept(client, entry);
  } catch (error) {
    const { message, details } = toCommandError(error);
    const now = drafts.get(id) ?? draft;
    const theirs = hasCode(error, "stale_version") ? (details?.current as MemoryDetail | null) : null;
    put(id, { ...now, state: theirs ? "stale" : "failed", problem: message, theirs: theirs ?? null });
  }
}

/** Writes what is typed now. Resolves when it is kept, or when it is known that it could not be. */
export async function save(client: QueryClient, id: string): Promise<void> {
  clearTimeout(timers.get(id));
  await running.get(id);
  const draft = drafts.get(id);
  if (!draft || draft.state === "stale" || draft.state === "kept" || running.has(id)) return;
  if (draft.content === draft.saved) {
    dropUnsaved(id);
    return;
  }
  const work = write(client, id, draft).finally(() => running.delete(id));
  running.set(id, work);
  await work;
}

/** Of two versions `sent` was written over the other. What was typed since then goes on from there. */
export function settleStale(client: QueryClient, entry: NamedEntryView, sent: string): void {
  const draft = drafts.get(entry.id);
  const content = draft && (draft.merged ?? draft.content);
  dropUnsaved(entry.id);
  accept(client, entry);
  if (content !== undefined && content !== sent) type(client, entry, content);
}
