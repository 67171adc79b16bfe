import type { CalendarList, KnowerSpec, WriteResult } from "../ipc/bindings.gen";
import { detailOf } from "./open";
import type { Core } from "./serve";

/** Adds a subject and gives its id. */
export const subject = async (core: Core, name: string, kind: string, content = "") =>
  (await core.call<WriteResult>("add_subject", { name, kind, content })).detail.row.id;

/** Adds the Gregorian calendar. */
export async function addCalendar(core: Core): Promise<void> {
  const { presets } = await core.call<CalendarList>("list_calendars");
  await core.call("add_calendar", { name: "Common", definition: presets[0]?.definition });
}

/** Adds a chapter with its time and its number in reading order. */
export async function chapter(core: Core, name: string, text: string, readingNumber: number) {
  const id = await subject(core, name, "chapter");
  await setStoryTime(core, id, text, readingNumber);
  return id;
}

/** Sets when an entry holds in the story. */
export async function setStoryTime(
  core: Core,
  id: string,
  text: string,
  readingNumber: number | null = null,
) {
  const { version } = (await detailOf(core, id)).row;
  await core.call("set_story_time", { id, version, request: { text, calendar: null, readingNumber } });
}

/** Sets who knows of an entry. */
export async function setKnownBy(core: Core, id: string, knowers: KnowerSpec[]): Promise<void> {
  const { version } = (await detailOf(core, id)).row;
  await core.call("set_known_by", { id, version, knowers });
}
