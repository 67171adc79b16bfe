/** Keys of the whole system, as the shell writes them: `control+alt+KeyI`. */

const HELD = new Set([
  "Control",
  "Alt",
  "Shift",
  "Meta",
  "AltGraph",
  "OS",
  "Dead",
  "Process",
  "Unidentified",
]);

/** A key press as a shortcut; null while only modifiers are held. */
export function shortcutOf(event: KeyboardEvent): string | null {
  if (HELD.has(event.key) || event.code === "") return null;
  // The shell asks for a letter by what is printed on the key; the code says where it is on an English keyboard.
  const letter = /^[a-z]$/i.test(event.key) ? `Key${event.key.toUpperCase()}` : null;
  const digit = /^\d$/.test(event.key) ? `Digit${event.key}` : null;
  const held = [
    event.shiftKey && "shift",
    event.ctrlKey && "control",
    event.altKey && "alt",
    event.metaKey && "super",
  ];
  return [...held.filter(Boolean), letter ?? digit ?? event.code].join("+");
}

/** A shortcut in the notation of `Keys`. */
export function keysOf(shortcut: string): string {
  return shortcut
    .split("+")
    .map((key) => {
      const sign = /^(?:Key|Digit)(.)$/.exec(key)?.[1];
      const arrow = /^Arrow(\w+)$/.exec(key)?.[1];
      if (sign !== undefined) return sign.toLowerCase();
      if (arrow !== undefined) return arrow.toLowerCase();
      return key === "Space" || key === "Enter" || key === "Delete" || key === "Escape"
        ? key.toLowerCase()
        : key;
    })
    .join("+");
}
