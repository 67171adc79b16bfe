import "../theme/app.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { Locale } from "../i18n/i18n";
import { App } from "./App";
import { createAppRouter } from "./router";

export function start(locale: Locale): void {
  const root = document.getElementById("root");
  if (!root) throw new Error("the page has no root");
  createRoot(root).render(
    <StrictMode>
      <App locale={locale} router={createAppRouter()} />
    </StrictMode>,
  );
}
