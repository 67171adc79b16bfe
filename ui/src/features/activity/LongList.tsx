import { useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { MoreFailed } from "../../components/MoreFailed";
import { useFocusedRow } from "../../components/useFocusedRow";
import type { MorePages } from "../../components/useMorePages";
import { useRowHeight, useRowsMeasured } from "../../components/useRowHeight";
import { rem } from "../../preferences/zoom";

type LongListProps<T> = {
  label: string;
  rows: readonly T[];
  keyOf(row: T): string;
  /** Of a row, in pixels of the design. */
  height: number;
  more: MorePages;
  /** What stands below the rows while more of them are read. */
  moreText: string;
  /** The key of a row that is pointed at: it is scrolled to once, as soon as it is there. */
  current?: string;
  box?: RefObject<HTMLElement | null>;
  children(row: T): ReactNode;
};

/** Rows one under another. Only those in view are drawn, and the next page is read before its rows are reached. */
export function LongList<T>(props: LongListProps<T>) {
  const { label, rows, keyOf, height, more, moreText, current, children } = props;
  const own = useRef<HTMLElement>(null);
  const box = props.box ?? own;
  const { rangeExtractor, ...focus } = useFocusedRow();
  const rowHeight = useRowHeight(height);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
    rangeExtractor,
  });
  useRowsMeasured(virtual, rowHeight);
  const last = virtual.range?.endIndex ?? 0;
  useEffect(() => {
    if (more.exists && rows.length > 0 && last >= rows.length - 30) void more.load();
  }, [rows.length, last, more]);
  const currentAt = current === undefined ? -1 : rows.findIndex((row) => keyOf(row) === current);
  const hasReached = useRef<string>(undefined);
  useEffect(() => {
    if (currentAt < 0 || hasReached.current === current) return;
    hasReached.current = current;
    virtual.scrollToIndex(currentAt, { align: "center" });
  }, [currentAt, current, virtual]);
  return (
    <>
      <section
        ref={box}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached from the keyboard
        tabIndex={0}
        {...focus}
        className="focus-inset min-h-0 flex-1 overflow-y-auto overscroll-contain"
      >
        <ul style={{ height: virtual.getTotalSize() }} className="relative max-w-270">
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            if (!row) return null;
            return (
              <li
                key={key}
                data-index={index}
                aria-posinset={index + 1}
                aria-setsize={more.exists ? -1 : rows.length}
                style={{ transform: `translateY(${start}px)`, height: rem(height) }}
                aria-current={index === currentAt ? "true" : undefined}
                className={clsx(
                  "absolute inset-x-0 top-0 flex items-center gap-3 border-b border-line text-ui",
                  index === currentAt ? "mx-2 rounded-sm bg-accent-wash px-2" : "mx-4",
                )}
              >
                {children(row)}
              </li>
            );
          })}
        </ul>
        {more.isLoading && <p className="py-3 text-center text-meta text-ink-3">{moreText}</p>}
      </section>
      <MoreFailed more={more} />
    </>
  );
}
