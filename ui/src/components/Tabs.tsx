import { clsx } from "clsx";
import { type KeyboardEvent, type ReactNode, useRef } from "react";

type TabsProps<T extends string> = {
  label: string;
  /** The id of the panel; each tab is `{panel}-{tab}`. */
  panel: string;
  tabs: readonly T[];
  value: T;
  onChange(tab: T): void;
  className?: string;
  children(tab: T): ReactNode;
};

/** Tabs of which one is shown: one tab stop, arrows move between them. */
export function Tabs<T extends string>(props: TabsProps<T>) {
  const { label, panel, tabs, value, onChange, className, children } = props;
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.indexOf(value);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChange(next);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[tabs.indexOf(next)]?.focus();
  };
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={label}
      onKeyDown={onKeyDown}
      className={clsx("-mb-px flex flex-wrap gap-x-2", className)}
    >
      {tabs.map((it) => (
        <button
          key={it}
          type="button"
          role="tab"
          id={`${panel}-${it}`}
          aria-selected={it === value}
          aria-controls={panel}
          tabIndex={it === value ? 0 : -1}
          onClick={() => onChange(it)}
          className={clsx(
            "focus-inset relative inline-flex h-10 items-center gap-2 rounded-t-md px-2 text-ui transition-colors",
            "after:absolute after:inset-x-2 after:bottom-0 after:h-0.5",
            it === value ? "text-ink after:bg-accent" : "text-ink-2 hover:text-ink",
          )}
        >
          {children(it)}
        </button>
      ))}
    </div>
  );
}
