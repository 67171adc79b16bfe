/** One press of a key with what is held with it, such as "n", "mod+k" or "shift+down": `mod` is ⌘ on a Mac, and Ctrl elsewhere. */
export type Stroke = string;

export const MAC = typeof navigator !== "undefined" && /mac/i.test(navigator.platform);

/** What of a key press says which one it is; of React's events, too. */
export type Press = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey"> & {
  getModifierState?(name: "AltGraph"): boolean;
};

const NAMES: Record<string, string> = {
  " ": "space",
  arrowup: "up",
  arrowdown: "down",
  arrowleft: "left",
  arrowright: "right",
  // Which of these signs needs Shift depends on the keyboard.
  "+": "plus",
  "=": "plus",
  "-": "minus",
  _: "minus",
};

const SIGNS = ["plus", "minus"];
const HELD = ["control", "shift", "alt", "meta", "altgraph", "capslock", "fn", "numlock"];
/** Keys that have no name of their own yet: the begin of an accent, or of a word that is composed. */
const NAMELESS = ["dead", "process", "unidentified", "compose"];

/** The stroke that a key press is; `null` while only Ctrl and the like are held. */
export function strokeOf(event: Press): Stroke | null {
  const lower = event.key.toLowerCase();
  if (HELD.includes(lower) || NAMELESS.includes(lower)) return null;
  const key = NAMES[lower] ?? lower;
  // What AltGr types is a sign, although some systems report Ctrl and Alt with it.
  if (event.getModifierState?.("AltGraph")) return key;
  const mod = event.ctrlKey || event.metaKey;
  // "?" and the like already carry their shift.
  const shift = event.shiftKey && !SIGNS.includes(key) && (key.length > 1 || mod);
  return [mod && "mod", event.altKey && "alt", shift && "shift", key].filter(Boolean).join("+");
}

/** True for a letter, a digit or a sign without Ctrl, Alt or the like. */
export const isSingle = (stroke: Stroke): boolean => [...stroke].length === 1 || SIGNS.includes(stroke);

/** Whether a stroke is no writing, so that it may be a shortcut in a text, too. */
export const worksInText = (stroke: Stroke): boolean =>
  (stroke.startsWith("mod+") && stroke !== "mod+z") || /^f\d+$/.test(stroke);

/** Why a stroke cannot be a shortcut of one's own. */
export type Refusal = "moving" | "editing" | "system";

const MOVING = new Set(
  "tab enter escape space backspace insert up down left right home end pageup pagedown contextmenu".split(
    " ",
  ),
);
const EDITING = new Set("a c v x y z shift+v shift+z delete".split(" ").map((key) => `mod+${key}`));
const SYSTEM = new Set([
  ..."f1 f3 f5 f6 f7 f10 f11 f12 printscreen pause scrolllock".split(" "),
  ...[..."dghijlmnopqrtuw"].map((key) => `mod+${key}`),
  ...[..."cgijmnoprtw"].map((key) => `mod+shift+${key}`),
]);

/** Whether the system, the webview or every text field needs a stroke. */
export function refusalOf(stroke: Stroke, press?: Press): Refusal | null {
  const key = stroke.split("+").at(-1) ?? "";
  if (press?.metaKey && !MAC) return "system";
  if (SYSTEM.has(stroke) || (SYSTEM.has(key) && key.length > 1) || stroke === "alt+f4") return "system";
  if (MOVING.has(key)) return "moving";
  return EDITING.has(stroke) ? "editing" : null;
}
