import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { useFocusedRow } from "../../../components/useFocusedRow";
import { useI18n } from "../../../i18n/i18n";
import type { RecallTestView, Reverted } from "../../../ipc/bindings.gen";
import { RecallTest } from "./RecallTest";

/** One with a single expectation that is met. */
const ESTIMATE = 101;

type RecallListProps = {
  tests: readonly RecallTestView[];
  /** Ids of those that are being run. */
  running: ReadonlySet<string>;
  /** What came of taking back the run that turned a test, in this window. */
  reverted: ReadonlyMap<string, Reverted>;
  readOnly: boolean;
  onRun(id: string): void;
  onRemove(test: RecallTestView): void;
  onRevert(test: string, run: string): void;
};

/** Tests one under another. There may be hundreds, so only those in view are drawn. */
export function RecallList(props: RecallListProps) {
  const { tests, running, reverted, readOnly, onRun, onRemove, onRevert } = props;
  const { t } = useI18n();
  const box = useRef<HTMLDivElement>(null);
  const { rangeExtractor, ...focus } = useFocusedRow();
  const virtual = useVirtualizer({
    count: tests.length,
    getScrollElement: () => box.current,
    estimateSize: () => ESTIMATE,
    getItemKey: (index) => tests[index]?.id ?? index,
    overscan: 4,
    paddingEnd: 64,
    rangeExtractor,
  });
  return (
    <div ref={box} className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
      <ul
        aria-label={t("recall.list")}
        style={{ height: virtual.getTotalSize() }}
        className="relative max-w-270"
        {...focus}
      >
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const test = tests[index];
          if (!test) return null;
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={tests.length}
              style={{ transform: `translateY(${start}px)` }}
              className="absolute inset-x-0 top-0 px-4"
            >
              <RecallTest
                test={test}
                isRunning={running.has(test.id)}
                readOnly={readOnly}
                reverted={reverted.get(test.id)}
                onRun={() => onRun(test.id)}
                onRemove={() => onRemove(test)}
                onRevert={(run) => onRevert(test.id, run)}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
