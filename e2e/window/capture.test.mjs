// The quick capture: a key of the whole display opens a small window.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { makeHome, openWindow } from "../lib/app.mjs";
import { fill, get, sees } from "../lib/page.mjs";
import { sharedWindow } from "../lib/shared.mjs";
import { add, memory } from "../lib/store.mjs";
import { until } from "../lib/webdriver.mjs";
import { rows, runCommand } from "../lib/window.mjs";
import { closeBy, closeWindow, openFurther, pressToEnd } from "../lib/windows.mjs";

const run = promisify(execFile);
let main;
let small;
const shared = sharedWindow(
  (home) => add(home, "The first stone of the weir."),
  async (session) => {
    await rows(session);
    [main] = await session.handles();
  },
);

const press = (keys) =>
  run("xdotool", ["key", "--clearmodifiers", keys], {
    env: { ...process.env, DISPLAY: shared.display.name },
  });

/** Opens the quick capture by its key, which may be asked for a moment after the start. */
async function capture(session = shared.session) {
  const handle = await openFurther(session, () =>
    until(
      "the key to be heard",
      async () => {
        await press("ctrl+alt+i");
        return (await session.handles()).length > 1;
      },
      { every: 500 },
    ),
  );
  await session.switchTo(handle);
  return get(session, "textbox", "Text of the memory");
}

test("a key pressed anywhere opens it, and Ctrl+Enter saves and closes it", async () => {
  const { session } = shared;
  const field = await capture();
  await fill(session, field, "A heron stood on the weir.");
  await closeBy(session, () => session.press("Control+Enter"));
  await session.switchTo(main);
  await sees(session, "A heron stood on the weir.");
  const row = (await memory(shared.home, "list")).rows.find(({ preview }) => preview.includes("heron"));
  assert.equal(row.scope, "workspace");
});

test("Escape puts it away with what was begun, and the key brings it back", async () => {
  const { session } = shared;
  const field = await capture();
  small = await session.get("/window");
  await fill(session, field, "Half a thou");
  await session.press("Escape");
  const isShown = () => session.run(() => document.visibilityState === "visible");
  await until("it to be hidden", async () => !(await isShown()));
  await press("ctrl+alt+i");
  await until("it to come back", isShown);
  assert.equal(
    await session.run((it) => it.value, await get(session, "textbox", "Text of the memory")),
    "Half a thou",
  );
  await session.press("Escape");
  await until("it to be hidden", async () => !(await isShown()));
});

test("words that were put away come up when the last other window closes", async () => {
  const { session } = shared;
  await session.switchTo(main);
  await closeWindow(shared.display, session);
  await until("one window", async () => (await session.handles()).length === 1);
  await session.switchTo(small);
  await until("it to come up", () => session.run(() => document.visibilityState === "visible"));
  await session.press("Escape");
  await get(session, "alertdialog");
  await pressToEnd(session, "Close and lose them");
});

test("a key that another program has is said in the settings, and so is a desktop without such keys", async (t) => {
  const other = makeHome();
  t.after(other.remove);
  const first = await openWindow(shared.display, other);
  // It holds the key once it opens by it.
  await capture(first.session);
  const another = makeHome();
  t.after(another.remove);
  const second = await openWindow(shared.display, another);
  await runCommand(second.session, "Go to Settings");
  await sees(second.session, "Another program uses this key. Choose another one.");
  await second.stop();

  const wayland = await openWindow(shared.display, another, {
    env: { WAYLAND_DISPLAY: "wayland-0", GDK_BACKEND: "x11" },
  });
  await runCommand(wayland.session, "Go to Settings");
  await sees(wayland.session, "inklings-desktop --capture");
});
