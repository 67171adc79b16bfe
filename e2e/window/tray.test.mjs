// The entry in the tray, on a bus of its own with a tray or without one.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { ask, makeHome, openWindow, saveScreenshot, startDisplay } from "../lib/app.mjs";
import { startBus, startTray } from "../lib/bus.mjs";
import { click, fill, get, gone, sees } from "../lib/page.mjs";
import { add, makeWorkspace, WORKSPACE } from "../lib/store.mjs";
import { until } from "../lib/webdriver.mjs";
import { openRow, runCommand } from "../lib/window.mjs";
import { closeWindow, ended, openFurther, pressToEnd } from "../lib/windows.mjs";

let display;
let bus;
let home;
let window;
before(async () => {
  display = await startDisplay();
  bus = await startBus();
  home = makeHome();
  await makeWorkspace(home);
});
after(async () => {
  await home.remove();
  await bus.stop();
  await display.stop();
});
afterEach(async (t) => {
  if (t.error) await saveScreenshot(window.session, t.name).catch(() => {});
});

const open = async () => {
  window = await openWindow(display, home, { env: bus.env });
  await runCommand(window.session, "Go to Settings");
};
test("without a tray the setting says so, and the last window ends the program", async () => {
  await open();
  const { session } = window;
  await click(session, "switch", "Keep Inklings in the tray");
  await sees(session, "This desktop shows no tray.");
  await closeWindow(display, session);
  await ended(session);
  await window.stop();
});

test("with a tray the program stays, pauses memory and comes back, until the tray ends it", async (t) => {
  const tray = await startTray(bus);
  t.after(tray.stop);
  await open();
  const { session } = window;
  // It was asked for in the run before.
  await until("the entry", async () => (await tray.menu())?.includes("Open Inklings"));
  const menu = await until("the world in the menu", async () => {
    const texts = await tray.menu();
    return texts.includes(`Pause memory in ${WORKSPACE}`) && texts;
  });
  assert.deepEqual(menu, ["Open Inklings", "Quick capture", `Pause memory in ${WORKSPACE}`, "Quit Inklings"]);

  await tray.choose(/^Pause memory/);
  await until("the menu to say that it is paused", async () =>
    (await tray.menu()).includes(`Resume memory in ${WORKSPACE} (paused)`),
  );
  assert.equal((await ask(home, "--workspace", WORKSPACE, "workspace", "memory")).memoryEnabled, false);
  await tray.choose(/^Resume memory/);
  await until("the menu to say that it is on", async () =>
    (await tray.menu()).includes(`Pause memory in ${WORKSPACE}`),
  );

  await closeWindow(display, session);
  await until("no window", async () => (await session.handles()).length === 0);
  const back = await openFurther(session, () => tray.choose(/^Open/));
  await session.switchTo(back);
  await click(session, "link", "Settings");
  await sees(session, "Keep Inklings in the tray");
  await tray.choose(/^Quit/);
  await ended(session);
});

test("a window with unsaved words asks before the tray ends the program", async (t) => {
  const tray = await startTray(bus);
  t.after(tray.stop);
  await add(home, "The first stone of the weir.");
  window = await openWindow(display, home, { env: bus.env });
  const { session } = window;
  await openRow(session, "first stone");
  await click(session, "button", "Edit");
  await fill(session, await get(session, "textbox", "Text of the memory"), "The last stone of the weir.");
  await tray.choose(/^Quit/);
  await get(session, "alertdialog");
  await click(session, "button", "Stay");
  await gone(session, "alertdialog");
  await tray.choose(/^Quit/);
  await pressToEnd(session, "Close and lose them");
});
