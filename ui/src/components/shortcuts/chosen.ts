import { useMemo } from "react";
import { z } from "zod";
import { usePreference } from "../../preferences/preference";
import { singleKeys } from "../../preferences/preferences";
import { stored } from "../../preferences/stored";
import { isSingle, type Press, type Stroke, strokeOf } from "./strokes";
import { isShortcutId, overlap, SHORTCUT_IDS, type ShortcutId, shortcutOf } from "./table";

const choices = z.record(z.string(), z.array(z.string().min(1).max(40)).max(4));
type Choices = Partial<Record<string, Stroke[]>>;

const NONE: Choices = {};

/** The strokes that were chosen on this computer, by the id of the shortcut. None: it is switched off. */
const chosen = stored<Choices>("shortcuts", {
  parse: (text) => {
    try {
      return text === null ? NONE : choices.parse(JSON.parse(text));
    } catch {
      return NONE;
    }
  },
  format: (value) => (Object.keys(value).length === 0 ? null : JSON.stringify(value)),
});

const isChoosable = (id: ShortcutId) => !shortcutOf(id).isFixed;

/** The strokes of a shortcut, those included that the switch for single keys silences. */
const setOf = (all: Choices, id: ShortcutId): readonly Stroke[] =>
  (isChoosable(id) ? all[id] : undefined) ?? shortcutOf(id).strokes;

const active = (all: Choices, single: string, id: string): readonly Stroke[] => {
  if (!isShortcutId(id)) return [];
  const strokes = setOf(all, id);
  return single === "on" ? strokes : strokes.filter((it) => !isSingle(it));
};

/** Whether a key press is a shortcut, as it is now. What every program does is left to what has the focus. */
export function isShortcut(press: Press, id: string): boolean {
  const stroke = strokeOf(press);
  return stroke !== null && active(chosen.get(), singleKeys.get(), id).includes(stroke);
}

/** The strokes to show for a shortcut, the best first; none for what has no shortcut. */
export function useStrokesFor(): (id: string) => readonly Stroke[] {
  const all = usePreference(chosen);
  const single = usePreference(singleKeys);
  return useMemo(
    () => (id: string) => [...(isShortcutId(id) ? shortcutOf(id).fixed : []), ...active(all, single, id)],
    [all, single],
  );
}

/** The strokes of every shortcut as they were chosen, and which of them are other than at first. */
export function useChosen() {
  const all = usePreference(chosen);
  return useMemo(
    () => ({
      strokes: (id: ShortcutId) => setOf(all, id),
      isChanged: (id: ShortcutId) => isChoosable(id) && all[id] !== undefined,
      isAnyChanged: SHORTCUT_IDS.some((id) => isChoosable(id) && all[id] !== undefined),
    }),
    [all],
  );
}

/** The other shortcuts that a stroke would mean, too, if this one had it. */
export const holdersOf = (stroke: Stroke, id: ShortcutId): ShortcutId[] =>
  SHORTCUT_IDS.filter(
    (it) =>
      it !== id &&
      [...shortcutOf(it).fixed, ...setOf(chosen.get(), it)].includes(stroke) &&
      overlap(shortcutOf(it), shortcutOf(id)),
  );

const isSame = (a: readonly Stroke[], b: readonly Stroke[]) => a.join(" ") === b.join(" ");

function withStrokes(all: Choices, id: ShortcutId, strokes: readonly Stroke[]): Choices {
  const { [id]: _, ...others } = all;
  return isSame(strokes, shortcutOf(id).strokes) ? others : { ...others, [id]: [...new Set(strokes)] };
}

/** Gives a shortcut other strokes. What had one of them before has it no more. */
export function choose(id: ShortcutId, strokes: readonly Stroke[]): void {
  let next = withStrokes(chosen.get(), id, strokes);
  for (const stroke of strokes)
    for (const other of holdersOf(stroke, id))
      next = withStrokes(
        next,
        other,
        setOf(next, other).filter((it) => it !== stroke),
      );
  chosen.set(next);
}

/** Gives one shortcut the strokes that it had at first. */
export const reset = (id: ShortcutId): void => choose(id, shortcutOf(id).strokes);

export const resetAll = (): void => chosen.set(NONE);
