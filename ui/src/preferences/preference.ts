import { useSyncExternalStore } from "react";

/**
 * One of a few values that belongs to the windows of this computer, and not to the memory: it is kept by the webview, so
 * that it is known before the first paint.
 */
export type Preference<T extends string> = {
  readonly values: readonly T[];
  get(): T;
  set(value: T): void;
  /** Calls back after each change, of another window too. */
  subscribe(listener: () => void): () => void;
};

export function preference<T extends string>(
  name: string,
  values: readonly T[],
  fallback: NoInfer<T>,
): Preference<T> {
  // `first-paint.js` reads the same keys.
  const key = `inklings.${name}`;
  const listeners = new Set<() => void>();
  const publish = () => {
    for (const listener of listeners) listener();
  };
  const onStorage = (event: StorageEvent) => {
    // A storage that was cleared as a whole names no key.
    if (event.key === key || event.key === null) publish();
  };
  return {
    values,
    get: () => {
      try {
        const stored = localStorage.getItem(key);
        return values.find((value) => value === stored) ?? fallback;
      } catch {
        return fallback;
      }
    },
    set: (value) => {
      try {
        if (value === fallback) localStorage.removeItem(key);
        else localStorage.setItem(key, value);
      } catch {
        // Storage can be switched off; the fallback stays then.
      }
      publish();
    },
    subscribe: (listener) => {
      if (listeners.size === 0) window.addEventListener("storage", onStorage);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) window.removeEventListener("storage", onStorage);
      };
    },
  };
}

export const usePreference = <T extends string>({ subscribe, get }: Preference<T>): T =>
  useSyncExternalStore(subscribe, get);
