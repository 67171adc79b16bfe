import type { ReactNode } from "react";

/** As many rows as a group shows. */
export const SHOWN = 5;

/** A row of the palette. */
export type PaletteRow = {
  /** Unique among all rows; what cmdk calls its value. */
  value: string;
  icon: ReactNode;
  body: ReactNode;
  /** It leads to more of its group, and is set apart. */
  isMore?: boolean;
  /** The palette stays open. */
  stays?: boolean;
  run(): void;
};

export type PaletteGroup = {
  id: string;
  heading: string;
  rows: PaletteRow[];
  /** False while the rows answer an earlier text. */
  isFresh: boolean;
};
