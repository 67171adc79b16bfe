import { useLayoutEffect } from "react";
import { usePreference } from "./preference";
import { readingWidth, textSize } from "./preferences";
import { useWidthNames } from "./width";
import { useZoomFactor } from "./zoom";

const SIZES = { small: 0.875, normal: 1, large: 1.125, larger: 1.25 };
const WIDTHS = { narrow: 0.8, normal: 1, wide: 1.35 };

/** Gives the styles what was chosen, before what is drawn by it is painted. */
export function useDocumentPreferences(): void {
  const factor = useZoomFactor();
  const size = SIZES[usePreference(textSize)];
  const width = WIDTHS[usePreference(readingWidth)];
  const widths = useWidthNames();
  useLayoutEffect(() => {
    document.documentElement.dataset.width = widths;
  }, [widths]);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    style.setProperty("--zoom", String(factor));
    style.setProperty("--text-factor", String(size));
    style.setProperty("--width-factor", String(width));
  }, [factor, size, width]);
}
