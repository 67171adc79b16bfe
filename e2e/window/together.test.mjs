// Three MCP processes and the real window write to one workspace at the same time; nothing is lost, nobody is told to wait,
// and the window counts what there is. Two minutes of it with INKLINGS_LONG=1.
import assert from "node:assert/strict";
import { test } from "node:test";
import { saveScreenshot } from "../lib/app.mjs";
import { all, click, fill, get, maybe } from "../lib/page.mjs";
import { sharedWindow } from "../lib/shared.mjs";
import { listAll, memory } from "../lib/store.mjs";
import { noteText, nothingLost, spoken, timing, writeTogether } from "../lib/together.mjs";
import { until } from "../lib/webdriver.mjs";
import { rows } from "../lib/window.mjs";

const SECONDS = process.env.INKLINGS_LONG === "1" ? 120 : 15;
const shared = sharedWindow();

/** Writes in the window; resolves once its dialog has closed over the write, with how long that took. */
async function writeInWindow(text) {
  const { session } = shared;
  await click(session, "button", "New memory");
  const dialog = await get(session, "dialog", "New memory");
  await fill(session, await get(session, "textbox", "Text of the memory", { within: dialog }), text);
  const remember = await get(session, "button", "Remember", { within: dialog });
  const began = performance.now();
  await remember.click();
  await until("the memory to be kept", async () => (await maybe(session, "dialog", "New memory")) === null);
  const took = performance.now() - began;
  // Nothing that went wrong is said by a message only.
  const alerts = await all(session, "alert");
  for (const alert of alerts)
    assert.fail(`the window says: ${await session.run((it) => it.textContent, alert)}`);
  return took;
}

test(`three agents and the window write together for ${SECONDS} s, nothing is lost and nobody waits`, {
  timeout: 240_000,
}, async (t) => {
  const own = [];
  const author = async (n) => {
    own.push(await writeInWindow(noteText("Dorn", n)));
    return noteText("Dorn", n);
  };
  const { written, times } = await writeTogether(shared.home, SECONDS, author, {
    least: 3,
    pause: 100,
  }).catch(async (error) => {
    await saveScreenshot(shared.session, t.name).catch(() => {});
    throw error;
  });
  const agents = timing(times);
  t.diagnostic(
    `agents: ${spoken(agents)}; window, from the click to the closed dialog: ${spoken(timing(own))}`,
  );
  assert.ok(written.size > 30, `only ${written.size} were written`);
  // The promise is 250 ms; this machine may be busy with other things.
  assert.ok(agents.p99 < 2_000, `99 of 100 writes of an agent take at most ${agents.p99.toFixed(0)} ms`);
  await nothingLost(shared.home, written);

  const there = await listAll(shared.home, "--scope", "workspace");
  const mine = there.filter((row) => row.curator === "author" && row.preview.includes(" Dorn "));
  assert.equal(mine.length, own.length);
  const history = await memory(shared.home, "history", mine[0].id);
  assert.ok(history.every((item) => item.interface === "window" && item.actorKind === "author"));
  const count = new RegExp(`^World\\D*${there.length.toLocaleString("en-US")}\\b`);
  await until(`the window to count ${there.length}`, async () => maybe(shared.session, "tab", count));
  await rows(shared.session, 5);
});
