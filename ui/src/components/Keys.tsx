const MAC = typeof navigator !== "undefined" && /mac/i.test(navigator.platform);
const NAMES: Record<string, string> = {
  mod: MAC ? "⌘" : "Ctrl",
  shift: MAC ? "⇧" : "Shift",
  up: "↑",
  down: "↓",
  enter: "Enter",
  delete: "Del",
  escape: "Esc",
  space: "Space",
};

/** True for a name of `Action.keys` that is one character without Ctrl, Alt or the like. */
export const isSingleKey = (name: string): boolean => [...name].length === 1;

/** Shows a shortcut such as `mod+k` the way the platform writes it. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className="inline-flex shrink-0 gap-1">
      {keys.split("+").map((key) => (
        <kbd
          key={key}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded-sm border border-line bg-paper px-1 font-sans text-[11px] leading-4 text-ink-2"
        >
          {NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key)}
        </kbd>
      ))}
    </span>
  );
}
