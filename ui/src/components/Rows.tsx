import { useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useState } from "react";
import { rem } from "../preferences/zoom";
import { MoreFailed } from "./MoreFailed";
import { isShortcut } from "./shortcuts/chosen";
import type { MorePages } from "./useMorePages";
import { useRowHeight, useRowsMeasured } from "./useRowHeight";

export type RowsProps<T> = {
  label: string;
  items: readonly T[];
  /** Of a row, in pixels of the design. */
  height: number;
  keyOf(item: T): string;
  /** Which one is open. */
  chosen: string | undefined;
  box: RefObject<HTMLDivElement | null>;
  onOpen(item: T, how: "press" | "enter"): void;
  /** The pages behind those that are loaded. */
  more?: MorePages;
  /** The active row moved; for a page that shows it at once. */
  onFollow?(item: T): void;
  /** Further keys of the list, on the active row. True: the key was one of them. */
  onKey?(event: KeyboardEvent, item: T): boolean;
  /** More than one can be chosen: these are. */
  ticked?: ReadonlySet<string>;
  children(item: T): ReactNode;
};

/**
 * A virtual list to choose one of. The list keeps the focus and points at the active row, so that a row scrolled
 * out of the document never takes the focus with it.
 */
export function Rows<T>(props: RowsProps<T>) {
  const { label, items, height, keyOf, chosen, box, onOpen, more, onFollow, onKey, ticked, children } = props;
  const [active, setActive] = useState<string | undefined>(chosen);
  useEffect(() => {
    if (chosen !== undefined) setActive(chosen);
  }, [chosen]);
  const at = Math.max(
    0,
    items.findIndex((item) => keyOf(item) === active),
  );
  const rowHeight = useRowHeight(height);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const from = Math.max(0, startIndex - overscan);
      const to = Math.min(count - 1, endIndex + overscan);
      const shown = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
      // The active row stays in the document: aria-activedescendant must point at something.
      if (at < count && !shown.includes(at)) shown.push(at);
      return shown;
    },
  });
  useRowsMeasured(virtual, rowHeight);
  const last = virtual.range?.endIndex ?? 0;
  useEffect(() => {
    if (more?.exists && items.length > 0 && last >= items.length - 20) void more.load();
  }, [last, items.length, more]);

  const move = (to: number) => {
    const next = Math.max(0, Math.min(items.length - 1, to));
    const item = items[next];
    if (item === undefined) return;
    setActive(keyOf(item));
    virtual.scrollToIndex(next, { align: "auto" });
    onFollow?.(item);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const item = items[at];
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 1);
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
    };
    const by = steps[event.key];
    if (isShortcut(event, "list.next")) move(at + 1);
    else if (isShortcut(event, "list.previous")) move(at - 1);
    else if (isShortcut(event, "list.open") && item !== undefined) onOpen(item, "enter");
    else if (item !== undefined && onKey?.(event, item)) event.stopPropagation();
    else if (event.altKey || event.ctrlKey || event.metaKey) return;
    else if (by !== undefined) move(at + by);
    else if (event.key === "Home") move(0);
    else if (event.key === "End") move(items.length - 1);
    else if (event.key === "Enter" && item !== undefined) onOpen(item, "enter");
    else return;
    event.preventDefault();
  };

  const idOf = (key: string) => `row-${key}`;
  const current = items[at];
  return (
    <>
      <div
        ref={box}
        role="listbox"
        tabIndex={0}
        aria-label={label}
        aria-multiselectable={ticked ? true : undefined}
        aria-activedescendant={current === undefined ? undefined : idOf(keyOf(current))}
        onKeyDown={onKeyDown}
        className="group/list min-h-0 flex-1 overflow-y-auto overscroll-contain outline-none"
      >
        <div role="presentation" style={{ height: virtual.getTotalSize() }} className="relative">
          {virtual.getVirtualItems().map((row) => {
            const item = items[row.index];
            if (item === undefined) return null;
            const key = keyOf(item);
            return (
              // biome-ignore lint/a11y/useFocusableInteractive: the list holds the focus and names the active row
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the list
              <div
                key={row.key}
                id={idOf(key)}
                role="option"
                aria-selected={ticked ? ticked.has(key) : key === chosen}
                aria-current={ticked && key === chosen ? "true" : undefined}
                aria-posinset={row.index + 1}
                aria-setsize={more?.exists ? -1 : items.length}
                data-active-row={row.index === at}
                onClick={() => {
                  setActive(key);
                  onOpen(item, "press");
                }}
                style={{ transform: `translateY(${row.start}px)`, height: rem(height) }}
                className={clsx(
                  "absolute inset-x-0 top-0 flex flex-col justify-center px-4 select-none",
                  "after:absolute after:inset-x-4 after:bottom-0 after:h-px after:bg-line",
                  key === chosen || ticked?.has(key) ? "bg-accent-wash" : "hover:bg-hover",
                  row.index === at &&
                    "group-focus-visible/list:outline-2 group-focus-visible/list:-outline-offset-2 group-focus-visible/list:outline-accent",
                )}
              >
                {children(item)}
              </div>
            );
          })}
        </div>
      </div>
      {more && <MoreFailed more={more} />}
    </>
  );
}
