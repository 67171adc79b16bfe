import { Search, X } from "lucide-react";
import type { KeyboardEvent, RefObject } from "react";
import { useI18n } from "../i18n/i18n";
import { ShortcutKeys } from "./Keys";
import type { ShortcutId } from "./shortcuts/table";

type SearchFieldProps = {
  label: string;
  placeholder: string;
  /** What leads to it from the page. */
  shortcut: ShortcutId;
  value: string;
  onChange(value: string): void;
  onLeave(): void;
  onEnter(): void;
  input: RefObject<HTMLInputElement | null>;
};

export function SearchField({
  label,
  placeholder,
  shortcut,
  value,
  onChange,
  onLeave,
  onEnter,
  input,
}: SearchFieldProps) {
  const { t } = useI18n();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") onLeave();
    else if (event.key === "Enter") onEnter();
    else if (event.key === "Escape") {
      if (value !== "") onChange("");
      else onLeave();
    } else return;
    event.preventDefault();
  };
  return (
    <search className="relative flex h-9 max-w-180 min-w-0 flex-1 items-center">
      <Search size={16} className="pointer-events-none absolute left-3 text-ink-3" aria-hidden />
      <input
        ref={input}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        maxLength={10_000}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        className="peer h-9 w-full rounded-md border border-line-strong bg-raised pr-10 pl-9 text-lead text-ink placeholder:text-ink-3 focus-visible:outline-offset-0"
      />
      {value === "" ? (
        <span className="pointer-events-none absolute right-2 peer-focus:hidden" aria-hidden>
          <ShortcutKeys id={shortcut} />
        </span>
      ) : (
        <button
          type="button"
          aria-label={t("search.clear")}
          onClick={() => {
            onChange("");
            input.current?.focus();
          }}
          className="absolute right-1 inline-flex size-7 items-center justify-center rounded-sm text-ink-3 hover:text-ink"
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </search>
  );
}
