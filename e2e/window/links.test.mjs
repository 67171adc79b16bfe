// Links and files that other programs hand over: to the first start, and to a later one that reaches the window.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { promisify } from "node:util";
import { ask, binaries, makeHome, openWindow, saveScreenshot, startDisplay } from "../lib/app.mjs";
import { startBus } from "../lib/bus.mjs";
import { click, get, gone, sees } from "../lib/page.mjs";
import { add, makeWorkspace, memory, WORKSPACE } from "../lib/store.mjs";
import { until } from "../lib/webdriver.mjs";

const run = promisify(execFile);
let display;
let bus;
let home;
let window;
let id;
/** A folder that was named is a deliberate second program; these starts are of the one program of its user. */
const asUser = () => ({ INKLINGS_DATA_DIR: "", ...bus.env });

before(async () => {
  display = await startDisplay();
  bus = await startBus();
  home = makeHome();
  home.env.INKLINGS_DATA_DIR = join(home.env.XDG_DATA_HOME, "inklings");
  await makeWorkspace(home);
  id = await add(home, "The first stone of the weir.");
  window = await openWindow(display, home, { env: asUser(), args: [`inklings://memory/${id}`] });
});
after(async () => {
  await home.remove();
  await bus.stop();
  await display.stop();
});
afterEach(async (t) => {
  if (t.error) await saveScreenshot(window.session, t.name).catch(() => {});
});

/** Starts the program again with these arguments. It hands them over and ends. */
const startAgain = (...args) =>
  run(binaries.window, args, {
    env: { ...home.env, DISPLAY: display.name, WAYLAND_DISPLAY: "", ...asUser() },
    cwd: home.path,
    timeout: 60_000,
  });

const place = () => window.session.run(() => location.hash);

test("a link given to the first start shows its memory", async () => {
  await get(window.session, "region", "The memory");
  await sees(window.session, "The first stone of the weir.");
});

test("a link given to a second start reaches the window that is open", async () => {
  await startAgain("inklings://search?q=heron");
  await until("the search", async () => /q=heron/.test(await place()));
  assert.equal((await window.session.handles()).length, 1);
});

test("a link to another world asks before that is opened, or says that it is not there", async () => {
  const { session } = window;
  const fells = await ask(home, "workspace", "create", "The High Fells");
  await startAgain(`inklings://search?q=snow&world=${fells.id}`);
  await get(session, "alertdialog", "Open the world The High Fells?");
  await click(session, "button", "Cancel");
  await gone(session, "alertdialog");
  assert.match(await place(), /q=heron/);

  await startAgain(`inklings://search?q=snow&world=${fells.id}`);
  await click(session, "button", "Open it");
  await until("the search in the other world", async () => /q=snow/.test(await place()));
  await get(session, "button", /^World: The High Fells/);

  await startAgain("inklings://search?q=snow&world=0190a5c6-8f2e-7c3d-9b1a-5e4f3a2b1c0d");
  await get(session, "dialog", "The world of this link is not here");
  await click(session, "button", "Close");
  await gone(session, "dialog");
});

test("what is no link to a thing is refused with a sentence", async () => {
  await startAgain("inklings://import?path=/etc/passwd");
  await sees(window.session, "This link leads nowhere.");
  assert.match(await place(), /q=snow/);
});

test("a file given to a second start is offered for import, and nothing is imported unasked", async () => {
  const { session } = window;
  writeFileSync(join(home.path, "herons.json"), JSON.stringify([{ id: "1", memory: "A heron nests." }]));
  await startAgain("herons.json");
  const dialog = await get(session, "dialog");
  await until("the dialog to name the file", () =>
    session.run((it) => it.textContent.includes("herons"), dialog),
  );
  await session.press("Escape");
  await gone(session, "dialog");
  for (const world of [WORKSPACE, "The High Fells"]) {
    const { rows } = await ask(home, "--workspace", world, "memory", "list");
    assert.ok(rows.every(({ preview }) => !preview.includes("nests")));
  }
  assert.ok((await memory(home, "list")).rows.some((row) => row.id === id));
});
