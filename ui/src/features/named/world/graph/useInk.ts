import { type RefObject, useEffect, useState } from "react";
import { onThemeChange, resolveColor } from "../../../../theme/theme";
import type { Ink } from "./draw";

const KINDS = [
  "character",
  "place",
  "faction",
  "item",
  "event",
  "chapter",
  "culture",
  "rule",
  "concept",
  "audience",
  "calendar",
  "own",
].map((kind) => `kind-${kind}`);

/** The colours of the theme that is in force. */
export function useInk(canvas: RefObject<HTMLCanvasElement | null>): Ink | undefined {
  const [ink, setInk] = useState<Ink>();
  useEffect(() => {
    const read = () => {
      const near = canvas.current;
      if (!near) return;
      const of = (token: string) => resolveColor(token, near);
      setInk({
        ink: of("ink"),
        soft: of("ink-2"),
        paper: of("paper"),
        line: of("line"),
        edge: of("edge"),
        accent: of("accent"),
        kinds: Object.fromEntries(KINDS.map((kind) => [kind, of(kind)])),
        font: `12px ${getComputedStyle(near).fontFamily}`,
      });
    };
    read();
    return onThemeChange(read);
  }, [canvas]);
  return ink;
}
