import "../theme/app.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { Catalogue } from "../i18n/i18n";
import { App } from "./App";
import { createAppRouter } from "./router";

export function start(catalogue?: Catalogue): void {
  const root = document.getElementById("root");
  if (!root) throw new Error("the page has no root");
  createRoot(root).render(
    <StrictMode>
      <App catalogue={catalogue} router={createAppRouter()} />
    </StrictMode>,
  );
}
