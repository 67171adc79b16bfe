// Several windows of one program.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./app.mjs";
import { get } from "./page.mjs";
import { until } from "./webdriver.mjs";

const run = promisify(execFile);

/** A window other than these. */
export async function otherThan(session, ...known) {
  return (await session.handles()).find((handle) => !known.includes(handle));
}

/** Does something that opens a window, and answers with that. */
export async function openFurther(session, act) {
  const before = await session.handles();
  await act();
  return until("another window", () => otherThan(session, ...before));
}

/**
 * Does something that closes the window in front of the driver, and waits until it is gone. The driver has no window to
 * answer for when the page closes before the key or the button is released.
 */
export async function closeBy(session, act) {
  const { length } = await session.handles();
  await act().catch((error) => {
    if (error.code !== "no such window") throw error;
  });
  await until("the window to close", async () => (await session.handles()).length === length - 1);
}

/** Presses a button that ends the program, and the driver's session with it, and waits for that. */
export async function pressToEnd(session, name) {
  const button = await get(session, "button", name);
  await button.click().catch(() => {});
  await ended(session);
}

/** Waits until no window is left and the session is over. */
export const ended = (session) =>
  until("the program to end", async () => {
    try {
      return (await session.handles()).length === 0;
    } catch {
      return true;
    }
  });

/** Asks the window in front of the driver to close, as the cross in its title bar does. */
export async function closeWindow(display, session) {
  const env = { ...process.env, DISPLAY: display.name };
  // The title bar gets the title of the page a moment after the page has it.
  const id = await until("a window with the title of the page", async () => {
    const title = await session.get("/title");
    const pattern = `^${title.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`;
    const { stdout } = await run("xdotool", ["search", "--name", pattern], { env });
    return stdout.trim().split("\n")[0];
  });
  await run("python3", [join(root, "e2e/lib/close_window.py"), id], { env });
}
