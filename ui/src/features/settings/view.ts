import { z } from "zod";
import type { MessageKey } from "../../i18n/messages";

/** The sections of the page in their order, each with its heading. The word of a section is its address. */
export const SECTIONS = [
  ["appearance", "settings.look.title"],
  ["shortcuts", "shortcuts.title"],
  ["desktop", "settings.desktop.title"],
  ["memory", "settings.memory.title"],
  ["fading", "settings.decay.title"],
  ["search", "settings.search.title"],
  ["meaning", "settings.model.title"],
  ["language-model", "settings.chat.title"],
  ["conversations", "settings.conversation.title"],
  ["orientation", "settings.orient.title"],
  ["consolidation", "settings.tidy.title"],
  ["access", "settings.control.title"],
  ["data", "settings.data.title"],
] as const satisfies readonly (readonly [string, MessageKey])[];

export type Section = (typeof SECTIONS)[number][0];

/** Which section a link wants to be seen. */
export const settingsView = z.object({
  section: z
    .enum(SECTIONS.map(([section]) => section))
    .optional()
    .catch(undefined),
});
