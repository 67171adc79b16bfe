import type { ComponentType } from "react";
import type { I18n } from "../../../../i18n/i18n";
import type { DriftSide } from "../../../../ipc/bindings.gen";

/** What became of a side: destroyed, out of use, or changed since the two were compared. */
export type SideState = "gone" | "forgotten" | "removed" | "changed";

type Part = ComponentType<{ side: DriftSide }>;

/** How a kind of side is shown. */
export type SideKind = {
  Icon: ComponentType<{ side: DriftSide; size: number }>;
  /** Where it lives, and what it is called there. */
  Place: Part;
  /** The way to it. */
  Way: Part;
  /** Who wrote it. */
  writer(side: DriftSide, t: I18n["t"]): string | null;
  writtenAt(side: DriftSide): string | null;
  /** One line of plain text. */
  line(side: DriftSide, t: I18n["t"]): string;
  /** All words it is compared by. */
  words(side: DriftSide): string;
  /** The sentences that contradict the other side, where its whole text says more. */
  sentences(side: DriftSide): readonly string[];
  state(side: DriftSide): SideState | null;
};

/** The look of the way to a side. Its height adds nothing to the line: a side without one is as high. */
export const WAY =
  "-my-1 inline-flex min-h-6 items-center rounded-sm text-meta text-ink-2 hover:text-accent hover:underline";

/** Sentences as a text. They come without the mark at their end. */
export const written = (sentences: readonly string[]): string => sentences.map((it) => `${it}.`).join(" ");
