import { useEffect, useRef, useState } from "react";
import { useLatest } from "../../components/hooks";
import type { PaletteGroup } from "./rows";

/** Keys that move through the list. */
const MOVES = new Set(["ArrowDown", "ArrowUp", "Home", "End"]);

/** Answers that come within this time, in milliseconds, come at once for whoever reads them. */
const AT_ONCE = 250;

/**
 * Which row Enter takes: the one that was chosen, or else the first. It begins anew with each letter. Once somebody could have
 * read the first row, it stays there while answers arrive above it, so that Enter does not take what came a moment before.
 */
export function useChosen(typed: string, groups: readonly PaletteGroup[]) {
  const [chosen, setChosen] = useState<{ typed: string; value: string }>();
  /** cmdk also chooses by itself when a letter is typed. It is followed only where somebody moved. */
  const moves = useRef(false);
  const rows = groups.flatMap((group) => group.rows.map((row) => ({ row, isFresh: group.isFresh })));
  const isListed = (value: string) => rows.some(({ row }) => row.value === value);
  const [first] = rows;
  const kept = chosen?.typed === typed && isListed(chosen.value) ? chosen.value : undefined;
  const isRead = kept === undefined && first?.isFresh === true;
  const latest = useLatest(first);
  useEffect(() => {
    if (!isRead) return;
    const timer = setTimeout(() => {
      if (latest.current) setChosen({ typed, value: latest.current.row.value });
    }, AT_ONCE);
    return () => clearTimeout(timer);
  }, [isRead, typed, latest]);
  return {
    value: kept ?? first?.row.value ?? "",
    onValueChange: (value: string) => {
      if (moves.current) setChosen({ typed, value });
    },
    onKeyDownCapture: ({ key }: { key: string }) => {
      moves.current = MOVES.has(key);
    },
    onPointerMoveCapture: () => {
      moves.current = true;
    },
    onText: () => {
      moves.current = false;
    },
  };
}
