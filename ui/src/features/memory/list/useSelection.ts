import { useCallback, useMemo, useRef, useState } from "react";

/** A set of chosen ids with ranges, as lists have had them since the eighties. */
export function useSelection(ids: readonly string[]) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const anchor = useRef<number | null>(null);

  const toggle = useCallback(
    (index: number) => {
      const id = ids[index];
      if (id === undefined) return;
      anchor.current = index;
      setSelected((old) => {
        const next = new Set(old);
        if (!next.delete(id)) next.add(id);
        return next;
      });
    },
    [ids],
  );

  /** Adds everything between the last chosen row and this one. */
  const extend = useCallback(
    (index: number, from?: number) => {
      const start = anchor.current ?? from ?? index;
      anchor.current = start;
      const [low, high] = start < index ? [start, index] : [index, start];
      setSelected((old) => new Set([...old, ...ids.slice(low, high + 1)]));
    },
    [ids],
  );

  const all = useCallback(() => setSelected(new Set(ids)), [ids]);

  const clear = useCallback(() => {
    anchor.current = null;
    setSelected((old) => (old.size === 0 ? old : new Set()));
  }, []);

  return useMemo(() => ({ selected, toggle, extend, all, clear }), [selected, toggle, extend, all, clear]);
}

export type Selection = ReturnType<typeof useSelection>;
