import { common } from "./en/common";
import { memory } from "./en/memory";
import { settings } from "./en/settings";

/** The English catalogue, ICU message syntax. Keys are `area.thing`. */
export const messages = { ...common, ...memory, ...settings };

export type MessageKey = keyof typeof messages;
