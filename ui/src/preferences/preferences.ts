import { preference } from "./preference";

/** The core has the choice; this is the last one seen, for the next first paint. */
export const theme = preference("theme", ["system", "light", "dark"], "system");

/** The language of the window. */
export const language = preference("language", ["system", "en", "de", "fr"], "system");

/**
 * Whether a single letter, digit or sign is a shortcut. Somebody who speaks to the computer, or whose hand slips, can
 * switch that off (WCAG 2.1.4).
 */
export const singleKeys = preference("singleKeys", ["on", "off"], "on");

/** Whether a newer version is looked for when the window opens. Nobody is asked unless somebody wants it. */
export const updatesAtStart = preference("updatesAtStart", ["off", "on"], "off");

/** How large everything in the window is, in percent. */
export const zoom = preference("zoom", ["80", "90", "100", "110", "125", "150", "175", "200"], "100");

/** The text of memories, pages and conversations, within the zoom. */
export const textSize = preference("textSize", ["small", "normal", "large", "larger"], "normal");

/** How long the lines of such a text may be. */
export const readingWidth = preference("readingWidth", ["narrow", "normal", "wide"], "normal");

/** Whether editors mark mistakes, and in which language. */
export const spelling = preference(
  "spelling",
  ["window", "en", "de", "es", "fr", "it", "nl", "pl", "pt", "off"],
  "window",
);
