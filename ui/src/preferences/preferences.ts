import { preference } from "./preference";

/** The core has the choice; this is the last one seen, for the next first paint. */
export const theme = preference("theme", ["system", "light", "dark"], "system");

/** The language of the window. */
export const language = preference("language", ["system", "en", "de"], "system");

/**
 * Whether a single letter, digit or sign is a shortcut. Somebody who speaks to the computer, or whose hand slips, can
 * switch that off (WCAG 2.1.4).
 */
export const singleKeys = preference("singleKeys", ["on", "off"], "on");
