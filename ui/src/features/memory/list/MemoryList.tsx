import { useDraggable } from "@dnd-kit/core";
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEventHandler,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { isShortcut } from "../../../components/shortcuts/chosen";
import { useRowHeight, useRowsMeasured } from "../../../components/useRowHeight";
import { useI18n } from "../../../i18n/i18n";
import type { MemoryRow, SearchHit } from "../../../ipc/bindings.gen";
import { useDraftIds } from "../drafts";
import type { DragData } from "../drag/MemoryDrag";
import { ROW_HEIGHT, Row, rowId } from "./Row";
import type { Selection } from "./useSelection";

/** Rows drawn beyond either edge of what is seen. */
const OVERSCAN = 4;
/** The mark in the page's own timeline from which on there is a list to use: what a cold start is measured by. */
const LIST_SHOWN = "inklings:list-shown";

let marked = false;

export type Item = { row: MemoryRow; hit?: SearchHit };

type MemoryListProps = {
  items: readonly Item[];
  /** How many there are in all, when known; -1 when not. */
  total: number;
  openId: string | undefined;
  active: number;
  onActive(index: number): void;
  onOpen(id: string, how: "press" | "enter"): void;
  /** The active row moved while a memory is open. */
  onFollow(id: string): void;
  onForget(): void;
  onVisible(first: number, last: number): void;
  onEnd?: () => Promise<void>;
  selection: Selection;
  grid: RefObject<HTMLDivElement | null>;
  /** Changes when another list is shown: scrolls back to the top. */
  listKey: string;
  footer: string | null;
  readOnly: boolean;
};

/**
 * The virtual list. The grid keeps the focus and points at the active row, so that a row scrolled out of the
 * document never takes the focus with it.
 */
export function MemoryList(props: MemoryListProps) {
  const {
    items,
    total,
    openId,
    active,
    onActive,
    onOpen,
    onFollow,
    onForget,
    onVisible,
    onEnd,
    selection,
    grid,
    readOnly,
  } = props;
  const { t } = useI18n();
  const drafts = useDraftIds();
  const [page, setPage] = useState(8);
  const count = items.length;

  const rowHeight = useRowHeight(ROW_HEIGHT);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => grid.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      // The active row stays in the document: aria-activedescendant must point at something.
      if (active >= 0 && active < count && !shown.includes(active)) shown.push(active);
      return shown;
    },
  });
  useRowsMeasured(virtual, rowHeight);
  const shown = virtual.getVirtualItems();
  const first = virtual.range?.startIndex ?? 0;
  const last = virtual.range?.endIndex ?? 0;

  useEffect(() => {
    onVisible(first, last);
    if (onEnd && count > 0 && last >= count - 40) void onEnd();
  }, [first, last, count, onVisible, onEnd]);

  const filled = count > 0;
  useEffect(() => {
    if (!filled || marked) return;
    marked = true;
    // The next frame begins when this one has been painted.
    requestAnimationFrame(() => performance.mark(LIST_SHOWN));
  }, [filled]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another list scrolls back, not new rows of this one
  useEffect(() => {
    // Asking a list that stands at its top to go there would lay it out once more than is painted.
    if (virtual.scrollOffset) virtual.scrollToOffset(0);
  }, [props.listKey]);

  useEffect(() => {
    const box = grid.current;
    if (!box) return;
    const watcher = new ResizeObserver(() =>
      setPage(Math.max(1, Math.floor(box.clientHeight / rowHeight) - 1)),
    );
    watcher.observe(box);
    return () => watcher.disconnect();
  }, [grid, rowHeight]);

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const move = useCallback(
    (to: number, extend: boolean) => {
      const next = Math.max(0, Math.min(count - 1, to));
      const id = items[next]?.row.id;
      if (id === undefined) return;
      if (extend) selection.extend(next, active);
      onActive(next);
      virtual.scrollToIndex(next, { align: "auto" });
      clearTimeout(timer.current);
      if (!extend && openId !== undefined) timer.current = setTimeout(() => onFollow(id), 90);
    },
    [count, items, selection, active, onActive, virtual, openId, onFollow],
  );

  const onKeyDown = (event: KeyboardEvent) => {
    const enter = () => {
      const id = items[active]?.row.id;
      if (id) onOpen(id, "enter");
    };
    const mod = event.ctrlKey || event.metaKey;
    const step: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
    };
    const by = step[event.key];
    // With Shift, too, which then extends the selection.
    if (isShortcut(event, "list.next")) move(active + 1, event.shiftKey);
    else if (isShortcut(event, "list.previous")) move(active - 1, event.shiftKey);
    else if (isShortcut(event, "list.select")) selection.toggle(active);
    else if (isShortcut(event, "list.open")) enter();
    else if (isShortcut(event, "memory.forget")) onForget();
    else if (event.altKey) return;
    else if (by !== undefined && !mod) move(active + by, event.shiftKey);
    else if (event.key === "Home") move(0, event.shiftKey);
    else if (event.key === "End") move(count - 1, event.shiftKey);
    else if (mod && event.key === "a") selection.all();
    else if (!mod && event.key === " ") selection.toggle(active);
    else if (!mod && event.key === "Enter") enter();
    else if (event.key === "Escape" && selection.selected.size > 0) selection.clear();
    else return;
    event.preventDefault();
  };

  const onPress = useCallback(
    (index: number, event: MouseEvent) => {
      onActive(index);
      if (event.shiftKey) selection.extend(index, active);
      else if (event.ctrlKey || event.metaKey) selection.toggle(index);
      else {
        const id = items[index]?.row.id;
        if (id) onOpen(id, "press");
      }
    },
    [active, items, onActive, onOpen, selection],
  );

  const onToggle = useCallback(
    (index: number, event: MouseEvent) => {
      onActive(index);
      if (event.shiftKey) selection.extend(index);
      else selection.toggle(index);
    },
    [onActive, selection],
  );

  // One draggable for the whole list: a press tells which row it began on.
  const idsAt = (target: EventTarget | null) => {
    const at =
      target instanceof Element ? target.closest("[data-memory]")?.getAttribute("data-memory") : null;
    if (!at) return [];
    return selection.selected.has(at) ? [...selection.selected] : [at];
  };
  const drag = useDraggable({ id: "memories", data: { idsAt } satisfies DragData, disabled: readOnly });

  const { setNodeRef } = drag;
  const setGrid = useCallback(
    (node: HTMLDivElement | null) => {
      grid.current = node;
      setNodeRef(node);
    },
    [grid, setNodeRef],
  );

  const draftSet = useMemo(() => new Set(drafts), [drafts]);
  const activeId = items[active]?.row.id;
  return (
    <div
      ref={setGrid}
      role="grid"
      tabIndex={0}
      aria-label={t("list.label")}
      aria-rowcount={total}
      aria-colcount={2}
      aria-multiselectable
      aria-activedescendant={activeId ? rowId(activeId) : undefined}
      onKeyDown={onKeyDown}
      onPointerDown={drag.listeners?.onPointerDown as PointerEventHandler | undefined}
      className="min-h-0 flex-1 outline-none overflow-y-auto overscroll-contain"
    >
      <div role="presentation" style={{ height: virtual.getTotalSize() }} className="relative">
        {shown.map((virtualRow) => {
          const item = items[virtualRow.index];
          if (!item) return null;
          return (
            <Row
              key={virtualRow.key}
              row={item.row}
              hit={item.hit}
              index={virtualRow.index}
              top={virtualRow.start}
              active={virtualRow.index === active}
              open={item.row.id === openId}
              selected={selection.selected.has(item.row.id)}
              selecting={selection.selected.size > 0}
              draft={draftSet.has(item.row.id)}
              onPress={onPress}
              onToggle={onToggle}
            />
          );
        })}
      </div>
      {props.footer && (
        <p role="presentation" className="py-4 text-center text-meta text-ink-3">
          {props.footer}
        </p>
      )}
    </div>
  );
}
