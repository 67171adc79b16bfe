import { defaultRangeExtractor, type Range } from "@tanstack/react-virtual";
import { type FocusEvent, useMemo, useRef } from "react";

/** For a virtual list of rows with `data-index`: the row with the focus stays in the document, or the focus would go with it. */
export function useFocusedRow() {
  const focused = useRef(-1);
  return useMemo(
    () => ({
      rangeExtractor: (range: Range) => {
        const shown = defaultRangeExtractor(range);
        const at = focused.current;
        if (at >= 0 && at < range.count && !shown.includes(at)) shown.push(at);
        return shown;
      },
      onFocus: (event: FocusEvent) => {
        const row = event.target.closest<HTMLElement>("[data-index]");
        focused.current = row ? Number(row.dataset.index) : -1;
      },
      onBlur: () => {
        focused.current = -1;
      },
    }),
    [],
  );
}
