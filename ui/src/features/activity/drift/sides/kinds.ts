import type { DriftItemKind, DriftSide } from "../../../../ipc/bindings.gen";
import { FACT } from "./FactSide";
import { type SideKind, type SideState, written } from "./kind";
import { MEMORY } from "./MemorySide";
import { MESSAGE } from "./MessageSide";
import { PAGE } from "./PageSide";

const KINDS: Record<DriftItemKind, SideKind> = {
  memory: MEMORY,
  fact: FACT,
  message: MESSAGE,
  page: PAGE,
};

export const kindOf = (side: DriftSide): SideKind => KINDS[side.kind];

export const stateOf = (side: DriftSide): SideState | null =>
  kindOf(side).state(side) ?? (side.changedSince ? "changed" : null);

/** The words that the other side is compared with: the sentences that contradict it, or all of them. */
export function comparedOf(side: DriftSide): string {
  const kind = kindOf(side);
  const sentences = kind.sentences(side);
  return sentences.length > 0 ? written(sentences) : kind.words(side);
}
