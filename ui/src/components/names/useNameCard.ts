import { useQueryClient } from "@tanstack/react-query";
import { type FocusEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from "react";
import { detailQuery, pageQuery } from "../../ipc/queries";
import { targetOf } from "./target";

/** Milliseconds that the pointer or the focus rests on a name before its card comes. */
export const OPENS_AFTER = 400;
/** Milliseconds in which the pointer may go from the name to its card. */
const CLOSES_AFTER = 150;

/** True while somebody selects text or has done so: no card hangs over it. */
const isSelecting = () => !(window.getSelection()?.isCollapsed ?? true);

/** Which name has its card open, and what opens and closes it. */
export function useNameCard() {
  const client = useQueryClient();
  const [link, setLink] = useState<HTMLAnchorElement | null>(null);
  /** The name that the pointer or the focus rests on, before its card is there and while it is. */
  const rested = useRef<HTMLAnchorElement | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const card = useMemo(() => {
    const close = () => {
      clearTimeout(timer.current);
      rested.current = null;
      setLink(null);
    };
    const rest = (on: HTMLAnchorElement) => {
      clearTimeout(timer.current);
      if (rested.current !== on) setLink(null);
      rested.current = on;
      const target = targetOf(on);
      if (target?.kind === "page") void client.prefetchQuery(pageQuery(target.id));
      else if (target) void client.prefetchQuery(detailQuery(target.id));
      timer.current = setTimeout(() => {
        if (on.isConnected && !isSelecting()) setLink(on);
      }, OPENS_AFTER);
    };
    const leave = () => {
      clearTimeout(timer.current);
      timer.current = setTimeout(close, CLOSES_AFTER);
    };
    return {
      close,
      keep: () => clearTimeout(timer.current),
      leave,
      onPointerEnter: (event: PointerEvent<HTMLAnchorElement>) => {
        if (event.pointerType !== "touch" && event.buttons === 0) rest(event.currentTarget);
      },
      onPointerLeave: leave,
      onFocus: (event: FocusEvent<HTMLAnchorElement>) => {
        if (event.currentTarget.matches(":focus-visible")) rest(event.currentTarget);
      },
      onBlur: close,
    };
  }, [client]);

  useEffect(() => {
    if (link === null) return;
    // Before anything else that Escape would close, such as the memory that is read.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      card.close();
      if (!link.isConnected) return;
      event.preventDefault();
      event.stopPropagation();
    };
    // A name that is drawn anew takes the pointer with it without a word.
    const onPointerOver = () => {
      if (!link.isConnected) card.close();
    };
    window.addEventListener("keydown", onKeyDown, true);
    window.addEventListener("pointerdown", card.close, true);
    window.addEventListener("scroll", card.close, true);
    window.addEventListener("pointerover", onPointerOver);
    return () => {
      window.removeEventListener("keydown", onKeyDown, true);
      window.removeEventListener("pointerdown", card.close, true);
      window.removeEventListener("scroll", card.close, true);
      window.removeEventListener("pointerover", onPointerOver);
    };
  }, [link, card]);

  return { link, card };
}
