import type { ComponentType } from "react";
import type { I18n } from "../../../../i18n/i18n";
import type { DriftSide } from "../../../../ipc/bindings.gen";

/** What became of a side: destroyed, out of use, or changed since the two were compared. */
export type SideState = "gone" | "forgotten" | "removed" | "changed";

/** How a kind of side is shown. */
export type SideKind = {
  Icon: ComponentType<{ side: DriftSide; size: number }>;
  /** Where it lives, who wrote it, and the way to it. */
  Place: ComponentType<{ side: DriftSide }>;
  /** When its text was written; null if it is gone. */
  writtenAt(side: DriftSide): string | null;
  /** One line of plain text. */
  line(side: DriftSide, t: I18n["t"]): string;
  /** All words it is compared by. */
  words(side: DriftSide): string;
  state(side: DriftSide): SideState | null;
};
