import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { MoreFailed } from "../../../../components/MoreFailed";
import { useFocusedRow } from "../../../../components/useFocusedRow";
import type { MorePages } from "../../../../components/useMorePages";
import { useRowHeight, useRowsMeasured } from "../../../../components/useRowHeight";
import { useI18n } from "../../../../i18n/i18n";
import type { AgentActionView } from "../../../../ipc/bindings.gen";
import { rem } from "../../../../preferences/zoom";
import { ActionRow } from "./ActionRow";

export const ROW = 52;

type ActionListProps = { rows: readonly AgentActionView[]; more: MorePages };

/** Actions one under another. Only those in view are drawn. */
export function ActionList({ rows, more }: ActionListProps) {
  const { t } = useI18n();
  const box = useRef<HTMLElement>(null);
  const { rangeExtractor, ...focus } = useFocusedRow();
  const rowHeight = useRowHeight(ROW);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    getItemKey: (index) => rows[index]?.id ?? index,
    rangeExtractor,
  });
  useRowsMeasured(virtual, rowHeight);
  const last = virtual.range?.endIndex ?? 0;
  useEffect(() => {
    if (more.exists && rows.length > 0 && last >= rows.length - 30) void more.load();
  }, [rows.length, last, more]);
  return (
    <>
      <section
        ref={box}
        aria-label={t("telemetry.list")}
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
                style={{ transform: `translateY(${start}px)`, height: rem(ROW) }}
                className="absolute inset-x-0 top-0 mx-4 flex items-center gap-3 border-b border-line text-ui"
              >
                <ActionRow row={row} />
              </li>
            );
          })}
        </ul>
        {more.isLoading && <p className="py-3 text-center text-meta text-ink-3">{t("telemetry.more")}</p>}
      </section>
      <MoreFailed more={more} />
    </>
  );
}
