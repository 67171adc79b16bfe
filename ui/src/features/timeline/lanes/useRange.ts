import { useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Range } from "./layout";

/**
 * The range that is shown, at first all of it. However often it changes in between, a frame shows one range, and the scale and the
 * pictures show the same one. `change` is given the range as it is wanted by then; undefined: all of it.
 */
export function useRange(all: Range) {
  const [chosen, setChosen] = useState<Range>();
  const wanted = useRef(chosen);
  const frame = useRef<number>(undefined);
  const change = useCallback(
    (act: (now: Range) => Range | undefined) => {
      wanted.current = act(wanted.current ?? all);
      frame.current ??= requestAnimationFrame(() => {
        frame.current = undefined;
        // Drawn in this frame, not behind it.
        flushSync(() => setChosen(wanted.current));
      });
    },
    [all],
  );
  useEffect(
    () => () => {
      if (frame.current !== undefined) cancelAnimationFrame(frame.current);
      frame.current = undefined;
    },
    [],
  );
  return { range: chosen ?? all, change };
}
