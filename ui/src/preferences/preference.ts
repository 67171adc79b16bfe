import { useSyncExternalStore } from "react";
import { type Stored, stored } from "./stored";

/**
 * One of a few values that belongs to the windows of this computer, and not to the memory: it is kept by the webview, so
 * that it is known before the first paint.
 */
export type Preference<T extends string> = Stored<T> & { readonly values: readonly T[] };

export function preference<T extends string>(
  name: string,
  values: readonly T[],
  fallback: NoInfer<T>,
): Preference<T> {
  return {
    values,
    ...stored<T>(name, {
      parse: (text) => values.find((value) => value === text) ?? fallback,
      format: (value) => (value === fallback ? null : value),
    }),
  };
}

export const usePreference = <T>({ subscribe, get }: Stored<T>): T => useSyncExternalStore(subscribe, get);
