import type { Theme } from "../ipc/bindings.gen";
import { theme as lastTheme } from "../preferences/preferences";

/** Applies a theme to the document and remembers it for the next first paint. */
export function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  lastTheme.set(theme);
}

/** Resolves a colour token to something a canvas understands, in the theme now in force. */
export function resolveColor(token: string, probe: HTMLElement): string {
  const { style } = probe;
  const before = style.color;
  // Where less motion is asked for every change of colour is a very short transition: read now, it would be the old one.
  style.setProperty("transition", "none", "important");
  style.color = `var(--${token})`;
  const value = getComputedStyle(probe).color;
  style.color = before;
  style.removeProperty("transition");
  return value;
}

/** Calls back whenever the colours in force change: by the setting or by the OS. */
export function onThemeChange(cb: () => void): () => void {
  const media = window.matchMedia("(prefers-color-scheme: dark)");
  const observer = new MutationObserver(cb);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  media.addEventListener("change", cb);
  return () => {
    observer.disconnect();
    media.removeEventListener("change", cb);
  };
}
