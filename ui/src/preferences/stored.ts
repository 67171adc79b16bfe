/** A value that the webview of this computer keeps under a name, with nothing of it in the memory. */
export type Stored<T> = {
  get(): T;
  set(value: T): void;
  /** Calls back after each change, of another window too. */
  subscribe(listener: () => void): () => void;
};

type Form<T> = {
  /** Any text can be in the storage; `null` where nothing is. */
  parse(text: string | null): T;
  /** `null` for what needs no place in the storage. */
  format(value: T): string | null;
};

// `first-paint.js` reads the same keys.
export const PREFIX = "inklings.";

export function stored<T>(name: string, { parse, format }: Form<T>): Stored<T> {
  const key = `${PREFIX}${name}`;
  const listeners = new Set<() => void>();
  /** What was read last, so that an unchanged value is the same object. */
  let cached: { text: string | null; value: T } | undefined;
  const publish = () => {
    for (const listener of listeners) listener();
  };
  const onStorage = (event: StorageEvent) => {
    // A storage that was cleared as a whole names no key.
    if (event.key === key || event.key === null) publish();
  };
  const read = (text: string | null): T => {
    if (!cached || cached.text !== text) cached = { text, value: parse(text) };
    return cached.value;
  };
  return {
    get: () => {
      try {
        return read(localStorage.getItem(key));
      } catch {
        // Storage can be switched off: then a value lasts as long as the window.
        return cached ? cached.value : read(null);
      }
    },
    set: (value) => {
      const text = format(value);
      cached = { text, value };
      try {
        if (text === null) localStorage.removeItem(key);
        else localStorage.setItem(key, text);
      } catch {
        // As above.
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
