import { useI18n } from "../i18n/i18n";
import type { MessageKey } from "../i18n/messages";

const MAC = typeof navigator !== "undefined" && /mac/i.test(navigator.platform);
const SIGNS: Record<string, string> = {
  alt: MAC ? "⌥" : "Alt",
  up: "↑",
  down: "↓",
  plus: "+",
  minus: "−",
  super: MAC ? "⌘" : "Super",
  ...(MAC ? { mod: "⌘", shift: "⇧", control: "⌃" } : {}),
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
  Home: "key.home",
  End: "key.end",
};

/** True for a name of `Action.keys` that is one character without Ctrl, Alt or the like. */
export const isSingleKey = (name: string): boolean => [...name].length === 1;

/** Shows a shortcut such as `mod+k` the way the platform writes it. */
export function Keys({ keys }: { keys: string }) {
  const { t } = useI18n();
  const printed = (key: string): string => {
    const name = NAMES[key];
    return SIGNS[key] ?? (name ? t(name) : key.length === 1 ? key.toUpperCase() : key);
  };
  return (
    <span className="inline-flex shrink-0 gap-1">
      {keys.split("+").map((key) => (
        <kbd
          key={key}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded-sm border border-line bg-paper px-1 font-sans text-[0.6875rem] leading-4 text-ink-2"
        >
          {printed(key)}
        </kbd>
      ))}
    </span>
  );
}
