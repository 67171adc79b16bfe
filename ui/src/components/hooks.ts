import { type RefObject, useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";

/**
 * How long typing rests before what follows a search does: the address, the facets, the hits behind the first. Longer
 * than a slow hand takes from key to key, or they would come in the way of the next one.
 */
export const TYPING_REST = 400;

/** The value, once it has been still for `ms`. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const media = window.matchMedia(query);
      media.addEventListener("change", onChange);
      return () => media.removeEventListener("change", onChange);
    },
    () => window.matchMedia(query).matches,
  );
}

/** The newest value for callbacks that must not change with every render. */
export function useLatest<T>(value: T): { readonly current: T } {
  const ref = useRef(value);
  useEffect(() => {
    ref.current = value;
  });
  return ref;
}

/**
 * A text that leads while it is typed; the address follows when the typing rests, and leads again on Back. Gives the
 * text and what sets it. `onText` hears each text, typed or from the address, before it is drawn.
 */
export function useAddressed(
  address: string,
  write: (text: string) => void,
  onText?: (text: string) => void,
) {
  const [text, setState] = useState(address);
  const latestOnText = useLatest(onText);
  const setText = useCallback(
    (next: string) => {
      latestOnText.current?.(next);
      setState(next);
    },
    [latestOnText],
  );
  const latestText = useLatest(text);
  const latestWrite = useLatest(write);
  const settled = useSettled(text, TYPING_REST);
  // What this field wrote to the address, or read from it: an echo of one's own words must not undo newer ones.
  const known = useRef(address);
  useEffect(() => {
    if (settled !== latestText.current || settled === known.current) return;
    known.current = settled;
    latestWrite.current(settled);
  }, [settled, latestText, latestWrite]);
  useEffect(() => {
    if (address === known.current) return;
    known.current = address;
    setText(address);
  }, [address, setText]);
  return [text, setText] as const;
}

/**
 * What had the focus may go with what it stood in: then the part around it takes the focus, so that the next key is
 * not lost. To be called where the part is drawn; the part must be able to take the focus.
 */
export function useFocusFallback(box: RefObject<HTMLElement | null>): void {
  const inside = useRef(false);
  useEffect(() => {
    const follow = (event: Event) => {
      inside.current = event.target instanceof Node && (box.current?.contains(event.target) ?? false);
    };
    document.addEventListener("focusin", follow);
    document.addEventListener("pointerdown", follow);
    return () => {
      document.removeEventListener("focusin", follow);
      document.removeEventListener("pointerdown", follow);
    };
  }, [box]);
  useEffect(() => {
    if (inside.current && document.activeElement === document.body) box.current?.focus();
  });
}
