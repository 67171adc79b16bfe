import assert from "node:assert/strict";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { after, before, test } from "node:test";
import { ask, makeHome, makeReadOnly, openWindow, startDisplay, tree } from "../lib/app.mjs";
import { click, sees } from "../lib/page.mjs";
import { add, doctor, listAll, makeHomeFor, makeWorkspace } from "../lib/store.mjs";
import { until } from "../lib/webdriver.mjs";
import { create, rows, search } from "../lib/window.mjs";

let display;
before(async () => {
  display = await startDisplay();
});
after(() => display.stop());

test("without a model the window states it, and search by words works", async (t) => {
  const home = await makeHomeFor(t);
  await add(home, "Quillwort grows by the sluice.");
  const nothing = join(home.path, "no-resources");
  mkdirSync(nothing);
  const window = await openWindow(display, home, { env: { INKLINGS_RESOURCES: nothing } });
  await sees(window.session, /Searching by words only/);
  await search(window.session, "quillwort");
  await sees(window.session, "words only");
  await rows(window.session);
  await create(window.session, "Written without a model.");
});

test("a data folder that cannot be written can be read and searched, and the reason is shown", async (t) => {
  const writable = makeHome();
  t.after(writable.remove);
  await makeWorkspace(writable);
  await add(writable, "The tide ledger lists nine drowned streets.");
  const home = makeReadOnly(writable);
  const window = await openWindow(display, home);
  if (home.user)
    assert.ok(window.binary.startsWith(home.path), "the clone may lie where that user cannot go");
  await sees(window.session, /cannot be written/);
  await sees(window.session, "nine drowned streets");
  await search(window.session, "tide ledger");
  await rows(window.session);
});

test("a damaged data file is reported and not changed", async (t) => {
  const home = await makeHomeFor(t);
  const [{ id }] = await ask(home, "workspace", "list");
  await add(home, "This will be damaged.");
  const file = tree(home.data).find((path) => path.includes(id) && path.endsWith("agents.db"));
  const damaged = Buffer.concat([Buffer.from("this is no database\n"), Buffer.alloc(8192, 7)]);
  for (const suffix of ["", "-wal", "-shm"])
    if (tree(home.data).includes(file + suffix)) writeFileSync(file + suffix, damaged);
  const window = await openWindow(display, home);
  await sees(window.session, /damaged|no database|not a database/i);
  assert.notEqual((await doctor(home)).code, 0, "doctor finds it too");
  assert.deepEqual(readFileSync(file), damaged, "nothing was overwritten");
});

test("with a data folder of its own a start writes memories and logs nowhere else", async (t) => {
  const home = await makeHomeFor(t);
  const window = await openWindow(display, home);
  await create(window.session, "Footprints in the snow of the upper town.");
  await window.stop();
  assert.equal((await listAll(home)).length, 1);
  // The web view, the system and the shell keep a little of their own (salts, caches, shaders, the window's place, its key and
  // tray: ADR 53): no memory and no log.
  const outside = tree(home.own).filter((path) => statSync(path).isFile());
  const theirs =
    /app\.inklings\.desktop\/(CacheStorage|WebKitCache|hsts-storage\.sqlite|localstorage|mediakeys|storage|serviceworkers|\.window-state\.json|shell\.json)|mesa_shader_cache|fontconfig|dconf|gstreamer/i;
  assert.deepEqual(
    outside.filter((path) => !theirs.test(path)).map((path) => relative(home.own, path)),
    [],
  );
  for (const path of outside) {
    assert.ok(!readFileSync(path).includes("Footprints in the snow"), `${path} holds the author's words`);
  }
  for (const path of tree(home.data).filter(
    (path) => /log/.test(relative(home.data, path)) && statSync(path).isFile(),
  )) {
    assert.ok(!readFileSync(path).includes("Footprints in the snow"), `${path} holds the author's words`);
  }
});

test("long text, markup and hostile names are shown as text: no script runs, nothing is fetched", async (t) => {
  const home = await makeHomeFor(t);
  const text = `<img src=x onerror="window.pwned=1"><script>window.pwned=1</script> [click](javascript:window.pwned=1) ![far](https://example.invalid/x.png) harmless words`;
  await add(home, text);
  const window = await openWindow(display, home);
  await rows(window.session);
  await click(window.session, "row", /harmless words/);
  await sees(window.session, "Where it comes from");
  const found = await window.session.run(() => ({
    pwned: window.pwned ?? null,
    images: [...document.images]
      .map((image) => image.src)
      .filter((src) => !src.startsWith("tauri:") && !src.startsWith("data:")),
    scripts: [...document.querySelectorAll("a[href^='javascript:' i]")].length,
    fetched: performance
      .getEntriesByType("resource")
      .map((entry) => entry.name)
      .filter((name) => /invalid/.test(name)),
  }));
  assert.deepEqual(found, { pwned: null, images: [], scripts: 0, fetched: [] });
});

test("a system whose language is C.UTF-8 opens memories like any other", async (t) => {
  const home = await makeHomeFor(t);
  await add(home, "The orchard gate is green.");
  const window = await openWindow(display, home, { env: { LANG: "C.UTF-8" } });
  await click(window.session, "row", /orchard gate/);
  await until("the curve", () => window.session.run(() => document.querySelector("canvas") !== null));
  await sees(window.session, "How it fades");
});
