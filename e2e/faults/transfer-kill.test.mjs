// Invariant: an import that is killed at any moment happened whole or not at all, in both databases that it writes into,
// and the store is clean afterwards. Run again it ends with exactly the whole.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, watch } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ask, makeHome } from "../lib/app.mjs";
import { makeWorkspace, memory, WORKSPACE } from "../lib/store.mjs";
import { timeless, writeOwn } from "../lib/transfer.mjs";
import { atEveryPoint, copyOf, POINTS } from "./lib/kill.mjs";

/** Moments out of those points at which the account's part is written down, and the run decides. */
const BETWEEN = Math.ceil(POINTS / 5);
const SIZE = { account: 150, workspace: 250, messages: 250 };

const on = (home, ...args) => ask(home, "--workspace", WORKSPACE, ...args);
const intents = (home) => join(home.data, ".import");

/** Everything that is there, to the byte. */
async function everything(home) {
  const file = join(home.path, "out.json");
  await on(home, "export", file, "--replace");
  return timeless(file);
}

/** So many milliseconds after the account's part of an import has been written down, whole: about when the run decides. */
function afterTheIntent(milliseconds) {
  const moment = (home, signal) =>
    new Promise((resolve) => {
      mkdirSync(intents(home), { recursive: true });
      const watcher = watch(intents(home), (_, name) => {
        if (name?.endsWith(".jsonl")) sleep(milliseconds).then(resolve);
      });
      signal.addEventListener("abort", () => watcher.close());
    });
  return Object.assign(moment, { where: `${milliseconds} ms after the account's part was written down` });
}

test("kill -9 at any moment of an import: complete or absent, in both databases", async (t) => {
  const base = makeHome();
  t.after(base.remove);
  await makeWorkspace(base);
  await memory(base, "add", "--scope", "account", "A habit from before.");
  await memory(base, "add", "--scope", "workspace", "A remark from before.");
  const file = join(base.path, "file.json");
  writeOwn(file, SIZE);

  const none = await everything(base);
  const done = copyOf(base);
  await on(done, "import", file, "--pick-all");
  const whole = await everything(done);
  await done.remove();
  assert.notEqual(whole, none);

  const seen = { whole: 0, none: 0 };
  const look = async (home, where) => {
    const found = await everything(home);
    assert.ok(found === whole || found === none, `${where}: half of it is there`);
    seen[found === whole ? "whole" : "none"]++;
    const left = readdirSync(home.data).includes(".import") ? readdirSync(intents(home)) : [];
    assert.deepEqual(left, [], `${where}: what it was about to do is still waiting`);
    await on(home, "import", file, "--pick-all");
    assert.equal(await everything(home), whole, `${where}: run again it is not the whole`);
  };
  const moments = Array.from({ length: BETWEEN }, (_, n) => afterTheIntent(2 * n));
  const points = POINTS - BETWEEN;
  await atEveryPoint(t, base, ["import", file, "--pick-all"], look, { points, moments, alive: POINTS * 0.8 });
  t.diagnostic(JSON.stringify(seen));
});
