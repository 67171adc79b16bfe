const MAC = typeof navigator !== "undefined" && /mac/i.test(navigator.platform);
const NAMES: Record<string, string> = {
  mod: MAC ? "⌘" : "Ctrl",
  alt: MAC ? "⌥" : "Alt",
  shift: MAC ? "⇧" : "Shift",
  up: "↑",
  down: "↓",
  enter: "Enter",
  delete: "Del",
  escape: "Esc",
  space: "Space",
};

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
