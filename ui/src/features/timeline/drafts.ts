import { draftStore } from "../../components/draftStore";
import type { CalendarDefinition } from "../../ipc/bindings.gen";

/** A calendar that is not saved. */
export type CalendarDraft = {
  /** The name of a calendar that is not added yet. */
  name: string;
  definition: CalendarDefinition;
  /** The definition that it began from. */
  start: CalendarDefinition;
  /** The version that it began from; null for a calendar that is not added yet. */
  base: number | null;
};

/** Calendars by their ids; one that is not added yet, by its world. */
const { get, set, drop, useDraft } = draftStore<CalendarDraft>({
  closeBody: "calendar.closeBody",
  isUnsaved: ({ name, definition, start }) => name.trim() !== "" || definition !== start,
});

export const getCalendarDraft = get;
export const setCalendarDraft = set;
export const dropCalendarDraft = drop;
export const useCalendarDraft = useDraft;

export function beginCalendar(world: string, definition: CalendarDefinition): void {
  set(world, { name: "", definition, start: definition, base: null });
}

/** `sent` is saved, as this version of a calendar. What was typed since then goes on from there. */
export function settleCalendar(draftId: string, sent: CalendarDraft, id: string, version: number): void {
  const draft = get(draftId);
  drop(draftId);
  if (draft && draft !== sent) set(id, { ...draft, name: "", start: sent.definition, base: version });
}
