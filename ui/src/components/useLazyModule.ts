import { useEffect, useState } from "react";

/** A module that is loaded once, when it is first wanted. */
export type LazyModule<T> = { load(): Promise<T>; loaded?: T };

/**
 * The module once it is loaded. It is for what has to be seen soon: React holds back what suspends for 300 ms after its fallback is
 * shown.
 */
export function useLazyModule<T>(source: LazyModule<T>, isWanted: boolean): T | undefined {
  const [module, setModule] = useState<T | undefined>(source.loaded);
  useEffect(() => {
    if (!isWanted || module !== undefined) return;
    let isShown = true;
    const set = (act: () => T) => isShown && setModule(act);
    source.load().then(
      (found) => {
        source.loaded = found;
        set(() => found);
      },
      // The page shows it as every error that a render throws.
      (error: unknown) =>
        set(() => {
          throw error;
        }),
    );
    return () => {
      isShown = false;
    };
  }, [source, isWanted, module]);
  return module;
}
