import { type RefObject, useEffect, useMemo, useState } from "react";
import { useZoomFactor } from "../preferences/zoom";
import { onThemeChange, resolveColor } from "../theme/theme";

/** The size of an element in pixels of the design, in which a canvas is drawn. */
export function useSizeOf(box: RefObject<HTMLElement | null>) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  const enlarged = useZoomFactor();
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      setSize({ width: element.clientWidth / enlarged, height: element.clientHeight / enlarged }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, enlarged]);
  return size;
}

/** What `inkOf` makes of the colours of the theme that is in force, and of the font. */
export function useInk<Ink>(
  canvas: RefObject<HTMLCanvasElement | null>,
  inkOf: (color: (token: string) => string, font: string) => Ink,
): Ink | undefined {
  const [ink, setInk] = useState<Ink>();
  useEffect(() => {
    const read = () => {
      const near = canvas.current;
      if (!near) return;
      setInk(inkOf((token) => resolveColor(token, near), `12px ${getComputedStyle(near).fontFamily}`));
    };
    read();
    return onThemeChange(read);
  }, [canvas, inkOf]);
  return ink;
}

/** How wide texts are, measured once each. */
export function useTextWidths(canvas: RefObject<HTMLCanvasElement | null>, font: string | undefined) {
  return useMemo(() => {
    const known = new Map<string, number>();
    return (text: string) => {
      const found = known.get(text);
      if (found !== undefined) return found;
      const context = canvas.current?.getContext("2d");
      if (!context || font === undefined) return text.length * 7;
      context.font = font;
      const { width } = context.measureText(text);
      known.set(text, width);
      return width;
    };
  }, [canvas, font]);
}
