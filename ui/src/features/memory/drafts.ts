import { draftStore } from "../../components/draftStore";
import type { MemoryDetail } from "../../ipc/bindings.gen";

/** An edit of a memory that is not saved. */
export type Draft = {
  content: string;
  /** The version this edit began from. */
  base: number;
  /** The version that was saved by someone else when this one tried. */
  conflict: MemoryDetail | null;
  /** A merge by hand that has begun. */
  merged?: string | null;
};

export const {
  get: getDraft,
  set: setDraft,
  drop: dropDraft,
  useDraft,
  useUnsavedIds: useDraftIds,
} = draftStore<Draft>({ closeBody: "edit.closeBody" });

/** The text that was typed last. */
const newest = ({ content, merged }: Draft) => merged ?? content;

/** `sent` is saved, as this version. What was typed since then goes on from there. */
export function settleDraft(id: string, sent: string, version: number): void {
  const draft = getDraft(id);
  if (!draft) return;
  const content = newest(draft);
  if (content === sent) dropDraft(id);
  else setDraft(id, { content, base: version, conflict: null });
}

/** Someone else saved a version first. What was typed since the draft was sent stays. */
export function contestDraft(id: string, base: number, conflict: MemoryDetail): void {
  const draft = getDraft(id);
  // It was discarded while it was being saved.
  if (draft) setDraft(id, { content: newest(draft), base, conflict });
}

/** Own writes to other fields move the version on without touching the text: the edit goes on from there. */
export function rebaseDraft(id: string, from: number, to: number): void {
  const draft = getDraft(id);
  if (draft && draft.base === from) setDraft(id, { ...draft, base: to });
}
