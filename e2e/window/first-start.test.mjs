import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, makeHome, openWindow, startDisplay } from "../lib/app.mjs";
import { click, get, gone, maybe, sees } from "../lib/page.mjs";
import { loadSample } from "../lib/window.mjs";

let display;
before(async () => {
  display = await startDisplay();
});
after(() => display.stop());

test("a first start offers the sample world and loads it only on request", async (t) => {
  const home = makeHome();
  t.after(home.remove);
  const window = await openWindow(display, home);
  await sees(window.session, "A world to look around in");
  for (const { name } of await ask(home, "workspace", "list")) {
    const { rows } = await ask(home, "--workspace", name, "memory", "list");
    assert.deepEqual(rows, [], "nothing is there before the answer");
  }

  await loadSample(window.session);
  await gone(window.session, "button", "Load the sample world");
  const workspace = (await ask(home, "workspace", "list")).find(({ current }) => current);
  const count = { account: 0, workspace: 0, channel: 0, conversation: 0 };
  for (const scope of Object.keys(count)) {
    const page = await ask(
      home,
      "--workspace",
      workspace.name,
      "memory",
      "list",
      "--scope",
      scope,
      "--limit",
      "500",
    );
    count[scope] = page.rows.length;
    assert.ok(count[scope] > 0, `the sample has memories in the ${scope} tier`);
  }
  const total = Object.values(count).reduce((sum, n) => sum + n);
  assert.ok(total >= 200, `the sample holds ${total} memories`);
});

test("a declined sample world is not offered again", async (t) => {
  const home = makeHome();
  t.after(home.remove);
  const first = await openWindow(display, home);
  await click(first.session, "button", "Not now");
  await gone(first.session, "button", "Not now");
  await first.stop();

  const second = await openWindow(display, home);
  await get(second.session, "button", "New memory");
  assert.equal(await maybe(second.session, "button", "Not now"), null);
});
