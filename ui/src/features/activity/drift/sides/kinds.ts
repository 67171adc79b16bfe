import type { DriftItemKind, DriftSide } from "../../../../ipc/bindings.gen";
import { FACT } from "./FactSide";
import type { SideKind, SideState } from "./kind";
import { MEMORY } from "./MemorySide";

const KINDS: Record<DriftItemKind, SideKind> = { memory: MEMORY, fact: FACT };

export const kindOf = (side: DriftSide): SideKind => KINDS[side.kind];

export const stateOf = (side: DriftSide): SideState | null =>
  kindOf(side).state(side) ?? (side.changedSince ? "changed" : null);
