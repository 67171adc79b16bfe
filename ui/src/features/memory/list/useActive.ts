import { useCallback, useMemo, useState } from "react";
import { useLatest } from "../../../components/hooks";

/**
 * The row the keyboard is on. It stays with its memory when a write moves the rows, and passes to the next one when
 * the memory leaves the list.
 */
export function useActive(ids: readonly string[]) {
  const [active, setState] = useState<{ index: number; id: string | undefined }>({ index: 0, id: undefined });
  const latest = useLatest(ids);
  const activeIndex = useMemo(() => {
    const { index, id } = active;
    if (id !== undefined && ids[index] !== id) {
      const moved = ids.indexOf(id);
      if (moved >= 0) return moved;
    }
    return Math.max(0, Math.min(index, ids.length - 1));
  }, [active, ids]);
  const setActive = useCallback(
    (index: number) => {
      const id = latest.current[index];
      setState((old) => (old.index === index && old.id === id ? old : { index, id }));
    },
    [latest],
  );
  return { activeIndex, setActive };
}
