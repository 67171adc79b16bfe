// Files and folders dragged onto the real window from another program's.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, test } from "node:test";
import { startDrag } from "../lib/drag.mjs";
import { click, get, gone, maybe } from "../lib/page.mjs";
import { sharedWindow } from "../lib/shared.mjs";
import { until } from "../lib/webdriver.mjs";
import { startConversation } from "../lib/window.mjs";

let drag;
const shared = sharedWindow();
afterEach(() => drag?.stop());

const IMPORT = "Drop to import";
const shown = (offer = IMPORT) =>
  shared.session.run((offer) => document.body.textContent.includes(offer), offer);

/** The middle of the page, on the screen. */
const middle = () =>
  shared.session.run(() => [
    Math.round(screenX + innerWidth / 2),
    Math.round(screenY + outerHeight - innerHeight / 2),
  ]);

/** Drags to the middle of the window until it says that it would take what comes. */
async function over(paths, offer = IMPORT) {
  drag = await startDrag(shared.display, paths);
  await drag.begin();
  await drag.moveTo(...(await middle()));
  // The window takes a drop once the other program has told it the paths; then it says so.
  await drag.hold("the window to offer itself", () => shown(offer));
}

async function dropped(path) {
  await over([path]);
  await drag.release();
  assert.ok(!drag.lines.includes("refused"));
  const dialog = await get(shared.session, "dialog");
  assert.equal(await shown(), false);
  return dialog;
}

/** Waits until the dialog tells what it found in the file. */
const names = (dialog, name) =>
  until(`the dialog to name ${name}`, () =>
    shared.session.run((it, name) => it.textContent.includes(name), dialog, name),
  );

test("a file dropped on the window is previewed", async () => {
  const path = join(shared.home.path, "a heron & the weir.json");
  writeFileSync(path, JSON.stringify([{ id: "1", memory: "A heron nests under the weir." }]));
  const dialog = await dropped(path);
  await names(dialog, "heron & the weir");
  await shared.session.press("Escape");
  await gone(shared.session, "dialog");
});

test("a folder dropped on the window is previewed", async () => {
  const path = join(shared.home.path, "notes");
  mkdirSync(path);
  writeFileSync(join(path, "Weir.md"), "A heron nests under the weir.\n");
  const dialog = await dropped(path);
  await names(dialog, "notes");
  await shared.session.press("Escape");
  await gone(shared.session, "dialog");
});

test("a drag that leaves the window does nothing", async () => {
  await over([join(shared.home.path, "notes")]);
  const width = await shared.session.run(() => screenX + outerWidth);
  await drag.moveTo(width + 100, 1_100);
  await drag.hold("the offer to go", async () => !(await shown()));
  await drag.release();
  assert.equal(await maybe(shared.session, "dialog"), null);
});

test("files dropped on a conversation are attached to its message", async () => {
  const paths = ["gate.md", "moat.md"].map((name) => join(shared.home.path, name));
  for (const path of paths) writeFileSync(path, "It is iron.\n");
  await startConversation(shared.session);
  await over(paths, "Drop to attach or import");
  await drag.release();
  await get(shared.session, "dialog", "What are these files for?");
  await click(shared.session, "button", "Attach to the message");
  const list = await get(shared.session, "list", "Attached files");
  assert.deepEqual(await shared.session.run((it) => [...it.children].map((file) => file.textContent), list), [
    "gate.md",
    "moat.md",
  ]);
});
