import { useCallback } from "react";
import { useI18n } from "../i18n/i18n";
import type { MessageKey } from "../i18n/messages";
import { useStrokesFor } from "./shortcuts/chosen";
import { MAC, type Stroke } from "./shortcuts/strokes";
import type { ShortcutId } from "./shortcuts/table";

const SIGNS: Record<string, string> = {
  alt: MAC ? "⌥" : "Alt",
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
  plus: "+",
  minus: "−",
  super: MAC ? "⌘" : "Super",
  ...(MAC ? { mod: "⌘", shift: "⇧", control: "⌃", delete: "⌦", backspace: "⌫" } : {}),
};
/** What is printed on a key depends on the language. */
const NAMES: Record<string, MessageKey> = {
  mod: "key.mod",
  control: "key.mod",
  shift: "key.shift",
  enter: "key.enter",
  delete: "key.delete",
  escape: "key.escape",
  space: "key.space",
  home: "key.home",
  end: "key.end",
  pageup: "key.pageup",
  pagedown: "key.pagedown",
  backspace: "key.backspace",
  insert: "key.insert",
  tab: "key.tab",
};
/** A Mac names the keys that are held in this order, and other systems as a stroke has them. */
const MAC_ORDER = ["alt", "shift", "mod"];

/** What is printed on the keys of a stroke, in the order in which the platform names them. */
export function usePrinted(): (stroke: Stroke) => string[] {
  const { t } = useI18n();
  return useCallback(
    (stroke) => {
      const keys = stroke.split("+");
      const ordered = MAC ? keys.toSorted((a, b) => rank(a) - rank(b)) : keys;
      return ordered.map((key) => {
        const name = NAMES[key];
        return SIGNS[key] ?? (name ? t(name) : /^(.|f\d+)$/u.test(key) ? key.toUpperCase() : key);
      });
    },
    [t],
  );
}

const rank = (key: string) => (MAC_ORDER.indexOf(key) + MAC_ORDER.length + 1) % (MAC_ORDER.length + 1);

/** A stroke as a sentence has it: "Ctrl+K", and "⌘K" on a Mac. */
export function useStrokeText(): (stroke: Stroke) => string {
  const printed = usePrinted();
  return useCallback((stroke) => printed(stroke).join(MAC ? "" : "+"), [printed]);
}

/** Shows a stroke such as `mod+k` the way the platform writes it. */
export function Keys({ keys }: { keys: Stroke }) {
  const printed = usePrinted();
  return (
    <span className="inline-flex shrink-0 gap-1">
      {printed(keys).map((key) => (
        <kbd
          key={key}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded-sm border border-line bg-paper px-1 font-sans text-[0.6875rem] leading-4 text-ink-2"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}

/** The keys of a shortcut as they are now; nothing where it is switched off. */
export function ShortcutKeys({ id }: { id: ShortcutId }) {
  const [first] = useStrokesFor()(id);
  return first === undefined ? null : <Keys keys={first} />;
}
