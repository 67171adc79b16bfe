import type { MouseEvent, PointerEvent } from "react";

/** Pixels that a hand moves in a click. */
const STILL = 3;

/** Where the button went down on a name. */
let pressed = { x: 0, y: 0 };

/**
 * Browsers begin no selection within a link. While the button is down it is plain text, so that a selection can begin at a
 * name; it is a link again before the click comes.
 */
export function letSelect(event: PointerEvent<HTMLAnchorElement>): void {
  const link = event.currentTarget;
  const href = link.getAttribute("href");
  const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (href === null || event.pointerType === "touch" || event.button !== 0 || !isPlain) return;
  pressed = { x: event.clientX, y: event.clientY };
  link.removeAttribute("href");
  const restore = () => {
    link.setAttribute("href", href);
    window.removeEventListener("pointerup", restore, true);
    window.removeEventListener("pointercancel", restore, true);
    window.removeEventListener("blur", restore);
  };
  window.addEventListener("pointerup", restore, true);
  window.addEventListener("pointercancel", restore, true);
  window.addEventListener("blur", restore);
}

/** True for the click that a browser makes of a selection that began and ended at one name. */
export const endsSelection = ({ detail, clientX, clientY }: MouseEvent): boolean =>
  // A key has no place.
  detail > 0 &&
  Math.hypot(clientX - pressed.x, clientY - pressed.y) > STILL &&
  !window.getSelection()?.isCollapsed;
