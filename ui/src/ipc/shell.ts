import { isTauri } from "@tauri-apps/api/core";

/** Whether the page stands in a window of the program: a page in a browser has no shell, and no command of it. */
export const hasShell = isTauri;
