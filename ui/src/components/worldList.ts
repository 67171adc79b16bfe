import { useSyncExternalStore } from "react";
import type { z } from "zod";

const PREFIX = "inklings.";

/**
 * A list that this window keeps for each world on this computer, such as its saved searches. It is no part of the world: it is
 * not exported, and another computer does not have it.
 */
export function worldList<T>(name: string, item: z.ZodType<T>) {
  const NONE: readonly T[] = [];
  const listeners = new Set<() => void>();
  /** What was read last, so that an unchanged list is the same object. */
  const cached = new Map<string, { text: string | null; items: readonly T[] }>();
  const keyOf = (world: string) => `${PREFIX}${name}.${world}`;

  const parse = (text: string | null): readonly T[] => {
    if (text === null) return NONE;
    try {
      const values: unknown = JSON.parse(text);
      if (!Array.isArray(values)) return NONE;
      return values.flatMap((value) => {
        const { success, data } = item.safeParse(value);
        return success ? [data] : [];
      });
    } catch {
      return NONE;
    }
  };

  const read = (world: string): readonly T[] => {
    let text: string | null = null;
    try {
      text = localStorage.getItem(keyOf(world));
    } catch {
      // Storage can be switched off: then the list lasts as long as the window.
      return cached.get(world)?.items ?? NONE;
    }
    const before = cached.get(world);
    if (before?.text === text) return before.items;
    const items = parse(text);
    cached.set(world, { text, items });
    return items;
  };

  const write = (world: string, items: readonly T[]): void => {
    const text = items.length === 0 ? null : JSON.stringify(items);
    cached.set(world, { text, items });
    try {
      if (text === null) localStorage.removeItem(keyOf(world));
      else localStorage.setItem(keyOf(world), text);
    } catch {
      // As above.
    }
    for (const listener of listeners) listener();
  };

  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  return {
    read,
    write,
    /** The list of a world; empty while it is not known which one is open. */
    use: (world: string | undefined): readonly T[] =>
      useSyncExternalStore(subscribe, () => (world === undefined ? NONE : read(world))),
  };
}

/** Removes every list of a world that was destroyed. */
export function dropLists(world: string): void {
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(PREFIX) && key.endsWith(`.${world}`)) localStorage.removeItem(key);
  } catch {
    // Nothing is kept where storage is switched off.
  }
}
