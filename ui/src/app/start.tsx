import "../theme/app.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { Catalogue } from "../i18n/i18n";
import { loadLanguage } from "../i18n/locales";
import { App } from "./App";
import { createAppRouter } from "./router";

/** How long the first frame waits for the fonts, in milliseconds. They come with the program, so they are there in a few. */
const FONT_PATIENCE = 500;

/** Without its fonts the page would be laid out in others first, and move under the pointer when they come. */
async function fontsReady(): Promise<void> {
  const styles = getComputedStyle(document.documentElement);
  const families = ["--font-sans", "--font-serif"].map((name) => styles.getPropertyValue(name));
  const loaded = Promise.all(families.map((family) => document.fonts.load(`1em ${family}`)));
  const patience = new Promise((resolve) => setTimeout(resolve, FONT_PATIENCE));
  // A font that cannot be had is replaced by one of the system.
  await Promise.race([loaded.catch(() => undefined), patience]);
}

export async function start(catalogue?: Catalogue): Promise<void> {
  const root = document.getElementById("root");
  if (!root) throw new Error("the page has no root");
  await Promise.all([fontsReady(), loadLanguage()]);
  createRoot(root).render(
    <StrictMode>
      <App catalogue={catalogue} router={createAppRouter()} />
    </StrictMode>,
  );
}
