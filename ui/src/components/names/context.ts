import { createContext, type FocusEvent, type MouseEvent, type PointerEvent } from "react";
import type { NameIndex } from "./nameIndex";

/** What a text needs to show names as links. */
export type NamesValue = {
  index: NameIndex;
  /** The subject that the text is about: its own name is no link. */
  own: string | undefined;
  /** Whether Tab stops at the first link of each subject in a text. */
  tabbable: boolean;
  hrefOf(id: string): string;
  onClick(event: MouseEvent<HTMLAnchorElement>): void;
  onPointerEnter(event: PointerEvent<HTMLAnchorElement>): void;
  onPointerLeave(event: PointerEvent<HTMLAnchorElement>): void;
  onFocus(event: FocusEvent<HTMLAnchorElement>): void;
  onBlur(event: FocusEvent<HTMLAnchorElement>): void;
};

/** `null`: no name is a link here, or it is not known yet which may be one. */
export const NamesContext = createContext<NamesValue | null>(null);
