// Several windows of one program.
import assert from "node:assert/strict";
import { test } from "node:test";
import { click, fill, get, gone, maybe, sees } from "../lib/page.mjs";
import { sharedWindow } from "../lib/shared.mjs";
import { add, memory } from "../lib/store.mjs";
import { until } from "../lib/webdriver.mjs";
import { openRow, rows, runCommand } from "../lib/window.mjs";
import { closeBy, closeWindow, ended, openFurther, otherThan } from "../lib/windows.mjs";

/** The window that the program began with, and one that it opened. */
let first;
let second;
const shared = sharedWindow((home) => add(home, "The first stone of the weir."), rows);

test("a memory opens in a window of its own, which hears of writes and has its own title", async () => {
  const { session } = shared;
  await openRow(session, "first stone");
  [first] = await session.handles();
  second = await openFurther(session, async () => {
    await click(session, "button", "More actions", {
      within: await get(session, "region", "The memory"),
    });
    await click(session, "menuitem", "Open in a new window");
  });
  await session.switchTo(second);
  await sees(session, "The first stone of the weir.");
  await until("the title of the window", async () => /^Memory · /.test(await session.get("/title")));

  assert.equal(await maybe(session, "navigation", "Main"), null);

  const [row] = (await memory(shared.home, "list")).rows;
  await memory(shared.home, "edit", row.id, "--content", "The first stone of the old weir.");
  for (const handle of [second, first]) {
    await session.switchTo(handle);
    await sees(session, "The first stone of the old weir.");
  }
  // Each is at a place of its own.
  await runCommand(session, "Go to Settings");
  await get(session, "heading", "Settings");
  await session.switchTo(second);
  await get(session, "region", "The memory");
});

test("a window with unsaved words asks before it closes, and the others stay", async () => {
  const { session } = shared;
  await session.switchTo(second);
  await click(session, "button", "Edit");
  await fill(session, await get(session, "textbox", "Text of the memory"), "The last stone of the weir.");
  await closeWindow(shared.display, session);
  await get(session, "alertdialog");
  await click(session, "button", "Stay");
  await gone(session, "alertdialog");
  assert.equal((await session.handles()).length, 2);

  await closeWindow(shared.display, session);
  const within = await get(session, "alertdialog");
  const button = await get(session, "button", "Close and lose them", { within });
  await closeBy(session, () => button.click());
  await session.switchTo(first);
  await get(session, "heading", "Settings");
  const [row] = (await memory(shared.home, "list")).rows.filter(({ preview }) => preview.includes("stone"));
  assert.match(row.preview, /first stone/);
});

test("the program ends with its last window, whichever that is", async () => {
  const { session } = shared;
  second = await openFurther(session, () => runCommand(session, "Open in a new window"));
  await closeWindow(shared.display, session);
  await until("one window", async () => (await session.handles()).length === 1);
  await session.switchTo(second);
  await get(session, "heading", "Settings");
  assert.equal(await otherThan(session, second), undefined);
  await closeWindow(shared.display, session);
  await ended(session);
});
