import { useSyncExternalStore } from "react";
import type { z } from "zod";
import { PREFIX, type Stored, stored } from "./stored";

const unsubscribed = () => () => undefined;

/**
 * A list that this window keeps for each world on this computer, such as what was opened lately. It is no part of the world: it is
 * not exported, and another computer does not have it.
 */
export function worldList<T>(name: string, item: z.ZodType<T>) {
  const NONE: readonly T[] = [];
  const lists = new Map<string, Stored<readonly T[]>>();

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
  const format = (items: readonly T[]) => (items.length === 0 ? null : JSON.stringify(items));

  const of = (world: string): Stored<readonly T[]> => {
    const list = lists.get(world) ?? stored(`${name}.${world}`, { parse, format });
    lists.set(world, list);
    return list;
  };

  return {
    read: (world: string) => of(world).get(),
    write: (world: string, items: readonly T[]) => of(world).set(items),
    /** The list of a world; empty while it is not known which one is open. */
    use: (world: string | undefined): readonly T[] =>
      useSyncExternalStore(world === undefined ? unsubscribed : of(world).subscribe, () =>
        world === undefined ? NONE : of(world).get(),
      ),
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
