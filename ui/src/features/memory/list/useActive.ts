import { useCallback, useMemo, useState } from "react";
import { useLatest } from "../../../components/hooks";

type Active = { list: string; index: number; id: string | undefined };

/**
 * The row the keyboard is on. Another list starts at its top; within one, it stays with its memory when a write moves the rows, and passes to the next one when
 * the memory leaves the list.
 */
export function useActive(ids: readonly string[], listKey: string) {
  const [active, setState] = useState<Active>({ list: listKey, index: 0, id: undefined });
  const latest = useLatest({ ids, listKey });
  const activeIndex = useMemo(() => {
    const { list, index, id } = active;
    if (list !== listKey) return 0;
    if (id !== undefined && ids[index] !== id) {
      const moved = ids.indexOf(id);
      if (moved >= 0) return moved;
    }
    return Math.max(0, Math.min(index, ids.length - 1));
  }, [active, ids, listKey]);
  const setActive = useCallback(
    (index: number) => {
      const { ids, listKey: list } = latest.current;
      const id = ids[index];
      setState((old) =>
        old.list === list && old.index === index && old.id === id ? old : { list, index, id },
      );
    },
    [latest],
  );
  return { activeIndex, setActive };
}
