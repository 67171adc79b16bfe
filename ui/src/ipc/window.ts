import { isTauri } from "@tauri-apps/api/core";
import { getCurrentWindow } from "@tauri-apps/api/window";
import { open, save } from "@tauri-apps/plugin-dialog";

/**
 * Asks before the window closes. `ask` resolves to true when closing is fine. Returns the function that takes the
 * guard off again. In a plain browser `beforeunload` stands in.
 */
export function guardClose(ask: () => Promise<boolean>): () => void {
  if (!isTauri()) {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }
  let stopped = false;
  let off: (() => void) | undefined;
  const stop = () => {
    stopped = true;
    off?.();
  };
  const self = getCurrentWindow();
  void self
    .onCloseRequested(async (event) => {
      event.preventDefault();
      if (!(await ask())) return;
      // The guard goes first: should destroying be refused, the next attempt to close meets no guard.
      stop();
      await self.destroy();
    })
    .then((unlisten) => {
      if (stopped) unlisten();
      else off = unlisten;
    });
  return stop;
}

/** Whether this is the window that the program begins with: what the program does once, it does there. A browser has no other. */
export const isFirstWindow = (): boolean => !isTauri() || getCurrentWindow().label === "main";

/** Calls the window by this in the system's own lists. */
export function setWindowTitle(title: string): void {
  // A system that refuses keeps the title before.
  if (isTauri())
    void getCurrentWindow()
      .setTitle(title)
      .catch(() => undefined);
}

/** Whether the system's own file and folder dialogs can be asked for. */
export const canPickFolder = isTauri;

/** Lets the worldbuilder choose a folder; null when they changed their mind. */
export async function pickFolder(title: string): Promise<string | null> {
  return await open({ directory: true, multiple: false, title });
}

/** Lets the worldbuilder choose a file; null when they changed their mind. */
export async function pickFile(title: string, extensions: string[]): Promise<string | null> {
  return await open({ multiple: false, title, filters: [{ name: title, extensions }] });
}

/** Lets the worldbuilder choose files; null when they changed their mind. */
export async function pickFiles(title: string): Promise<string[] | null> {
  return await open({ multiple: true, title });
}

/** Lets the worldbuilder say where a new file goes; null when they changed their mind. */
export async function pickNewFile(title: string, name: string, extension: string): Promise<string | null> {
  return await save({ title, defaultPath: name, filters: [{ name: title, extensions: [extension] }] });
}

/** Closes this window without asking. */
export async function destroyWindow(): Promise<void> {
  if (isTauri()) await getCurrentWindow().destroy();
}
