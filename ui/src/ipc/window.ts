import { isTauri } from "@tauri-apps/api/core";
import { getCurrentWindow } from "@tauri-apps/api/window";

/**
 * Asks before the window closes. `ask` resolves to true when closing is fine. Returns the function that takes the
 * guard off again. Needs the capability `core:window:allow-destroy`; in a plain browser `beforeunload` stands in.
 */
export function guardClose(ask: () => Promise<boolean>): () => void {
  if (!isTauri()) {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }
  let off: (() => void) | undefined;
  let stopped = false;
  getCurrentWindow()
    .onCloseRequested(async (event) => {
      if (!(await ask())) event.preventDefault();
    })
    .then((unlisten) => {
      if (stopped) unlisten();
      else off = unlisten;
    });
  return () => {
    stopped = true;
    off?.();
  };
}
