// Invariant: a data folder of the release before the first migrations (ADR 24) is converted whole or not at all, and says the
// same afterwards.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { ask, binaries, makeHome, root } from "../lib/app.mjs";
import { doctor } from "../lib/store.mjs";
import { POINTS } from "./lib/kill.mjs";

const FOLDER = "crates/infrastructure/sqlite/tests/data/before_0001";
const WORKSPACE = "Aldmoor";
const ID = "019ca945-0a01-7ddb-938b-4d322c41a86d";

const unpacked = (name) => gunzipSync(readFileSync(join(root, FOLDER, `${name}.gz`)));

/** A home with that folder in it, which nobody opened yet. */
function homeOfBefore() {
  const home = makeHome();
  const inside = join(home.data, "workspaces", ID);
  mkdirSync(inside, { recursive: true });
  writeFileSync(join(home.data, "agents.db"), unpacked("account.db"));
  writeFileSync(join(inside, "agents.db"), unpacked("workspace.db"));
  writeFileSync(join(inside, "inklings.db"), unpacked("world.db"));
  return home;
}

/** Opens the folder, and kills the process after `delay` ms; answers with how it ended and after how long. */
function openAndKill(home, delay) {
  const began = performance.now();
  return new Promise((resolve) => {
    const args = ["--workspace", WORKSPACE, "memory", "list", "--json"];
    const child = spawn(binaries.cli, args, { env: home.env, stdio: "ignore" });
    if (delay !== null) sleep(delay).then(() => child.kill("SIGKILL"));
    child.on("close", (code, signal) => resolve({ code, signal, ms: performance.now() - began }));
  });
}

const timeless = (text) => text.replace(/"exported_at":"[^"]*"/, '"exported_at":""');

async function exported(home) {
  const out = join(home.path, "all.json");
  await ask(home, "--workspace", WORKSPACE, "export", out, "--embeddings");
  return timeless(readFileSync(out, "utf8"));
}

test("kill -9 at any moment of a conversion: complete or absent, and every byte is there", async (t) => {
  const expected = timeless(unpacked("export.json").toString("utf8"));
  const first = homeOfBefore();
  const undisturbed = await openAndKill(first, null);
  assert.equal(undisturbed.code, 0);
  assert.equal(await exported(first), expected);
  await first.remove();

  let cut = 0;
  for (let point = 0; point < POINTS; point++) {
    const home = homeOfBefore();
    try {
      const ended = await openAndKill(home, (undisturbed.ms * (point + 0.5)) / POINTS);
      if (ended.signal === "SIGKILL") cut++;
      const { code, report, trouble } = await doctor(home);
      const where = `killed at point ${point} after ${ended.ms.toFixed(0)} ms`;
      assert.equal(code, 0, `${where}: doctor found trouble: ${report}${trouble}`);
      assert.equal(await exported(home), expected, where);
    } finally {
      await home.remove();
    }
  }
  t.diagnostic(`${cut} of ${POINTS} kills met an opening of ${undisturbed.ms.toFixed(0)} ms`);
  assert.ok(cut >= POINTS / 4, `only ${cut} of ${POINTS} kills met it`);
});
