import { useEffect } from "react";

/** Takes files by their paths. */
type FileTaker = (paths: readonly string[]) => void;

let current: FileTaker | null = null;

/** Offers dropped files to the page that is shown, besides the import. A page that takes none passes `null`. */
export function useFileTaker(taker: FileTaker | null): void {
  useEffect(() => {
    if (taker === null) return;
    current = taker;
    return () => {
      if (current === taker) current = null;
    };
  }, [taker]);
}

/** What takes dropped files on this page. */
export const fileTaker = (): FileTaker | null => current;
