import { draftStore } from "../../components/draftStore";
import type { PlaceDraft } from "../../components/PlaceFields";
import type { Lifetime } from "../../ipc/bindings.gen";

/** What a new memory begins with; kept while the dialog is closed, so a slip of the finger loses nothing. */
export type NewDraft = PlaceDraft & {
  title: string;
  content: string;
  lifetime: Lifetime;
  importance: number;
  tags: string[];
};

export const EMPTY_DRAFT: NewDraft = {
  title: "",
  content: "",
  scope: "workspace",
  channel: null,
  conversation: null,
  lifetime: "long_term",
  importance: 0.5,
  tags: [],
};

/** New memories that were begun and put aside, by world: a place is of one world alone. */
const { get, set, useDraft } = draftStore<NewDraft>({
  closeBody: "create.closeBody",
  isUnsaved: ({ title, content }) => (title + content).trim() !== "",
});

export const newDraftOf = (world: string): NewDraft => get(world) ?? EMPTY_DRAFT;
export const setNewDraft = set;
export const useNewDraft = (world: string): NewDraft => useDraft(world) ?? EMPTY_DRAFT;

/** `sent` was created. The next memory begins at its place, but what was typed since then stays. True if nothing was. */
export function settleNewDraft(world: string, sent: NewDraft): boolean {
  const { scope, channel, conversation, ...typed } = newDraftOf(world);
  const isSame = Object.entries(typed).every(([field, value]) => sent[field as keyof NewDraft] === value);
  if (isSame) set(world, { ...EMPTY_DRAFT, scope, channel, conversation });
  return isSame;
}
