import { createContext, type FocusEvent, type MouseEvent, type PointerEvent } from "react";
import type { LensSpec } from "../../ipc/bindings.gen";
import type { NameIndex } from "./nameIndex";
import type { LinkTarget } from "./target";

/** What a text needs to show names as links. */
export type NamesValue = {
  index: NameIndex;
  lens: LensSpec | null;
  /** The subject that the text is about: its own name is no link. */
  own: string | undefined;
  /** Whether Tab stops at the first link of each subject in a text. */
  tabbable: boolean;
  hrefOf(target: LinkTarget): string;
  onClick(event: MouseEvent<HTMLAnchorElement>): void;
  onPointerEnter(event: PointerEvent<HTMLAnchorElement>): void;
  onPointerLeave(event: PointerEvent<HTMLAnchorElement>): void;
  onFocus(event: FocusEvent<HTMLAnchorElement>): void;
  onBlur(event: FocusEvent<HTMLAnchorElement>): void;
};

/** `null`: no name is a link here, or it is not known yet which may be one. */
export const NamesContext = createContext<NamesValue | null>(null);

/** True where `[[Name]]` is a link, also while it is not known yet to what. */
export const WikiContext = createContext(false);
