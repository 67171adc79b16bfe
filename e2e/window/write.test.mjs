import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openWindow, startDisplay } from "../lib/app.mjs";
import { click, get, sees } from "../lib/page.mjs";
import { add, listAll, makeHomeFor, memory } from "../lib/store.mjs";
import { until } from "../lib/webdriver.mjs";
import { create, edit, openRow, rows, undo } from "../lib/window.mjs";

let display;
before(async () => {
  display = await startDisplay();
});
after(() => display.stop());

test("memories written, edited, forgotten and undone in the window survive a restart", async (t) => {
  const home = await makeHomeFor(t);
  const first = await openWindow(display, home);
  await create(first.session, "The ferryman charges strangers double.");
  await openRow(first.session, /ferryman/);
  await edit(first.session, "The ferryman charges strangers triple.");
  await click(first.session, "button", "Forget", {
    within: await get(first.session, "region", "The memory"),
  });
  await sees(first.session, /forgotten\./);
  await until("the command line to miss it", async () => (await listAll(home)).length === 0);
  await undo(first.session, "forgotten");
  await until("the command line to see it again", async () => (await listAll(home)).length === 1);
  await first.stop();

  const [row] = await listAll(home);
  assert.equal(row.preview, "The ferryman charges strangers triple.");
  assert.equal(row.curator, "author");
  const history = await memory(home, "history", row.id);
  assert.ok(
    history.some((item) => item.content === "The ferryman charges strangers double."),
    "the first version is kept",
  );
  assert.ok(history.every((item) => item.interface === "window" && item.actorKind === "author"));

  const second = await openWindow(display, home);
  await openRow(second.session, /strangers triple/);
  await sees(second.session, /Written · you in this window/);
});

test("two windows edit one memory: the second save shows both versions and loses neither", async (t) => {
  const home = await makeHomeFor(t);
  const id = await add(home, "The orchard gate is green.");
  const window = await openWindow(display, home);
  await rows(window.session);
  await openRow(window.session, /orchard gate/);
  await click(window.session, "button", "Edit");
  const field = await get(window.session, "textbox", "Text of the memory");
  await field.click();
  await window.session.press("Control+a");
  await field.type("The orchard gate is mine.");
  await memory(home, "edit", id, "--content", "The orchard gate is theirs.");
  await click(window.session, "button", "Save");
  await sees(window.session, "Two versions of this memory");
  await sees(window.session, "The orchard gate is theirs.");
  await click(window.session, "button", "Keep mine");
  await until(
    "the window's version to be saved",
    async () => (await memory(home, "get", id)).content === "The orchard gate is mine.",
  );
  const contents = (await memory(home, "history", id)).map((item) => item.content);
  assert.ok(contents.includes("The orchard gate is theirs."), "the other version is in the history");
});
