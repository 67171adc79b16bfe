// Invariant: after a kill at any moment every acknowledged write is there and no batch is half there.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { binaries, makeHome } from "../lib/app.mjs";
import { add, doctor, listAll, makeWorkspace, memory, WORKSPACE } from "../lib/store.mjs";
import { makeTurns, writeJsonl } from "../lib/turns.mjs";
import { copyOf, POINTS } from "./lib/kill.mjs";

const TURNS = 5_000;
const KEPT = ["the weir house has two keys", "Odile counts the barges", "the abbess owes the guild"];

/** Starts the import and kills it after `delay` ms; answers with how it ended and after how long. */
function importAndKill(home, file, delay) {
  const start = performance.now();
  return new Promise((resolve) => {
    const args = ["--workspace", WORKSPACE, "memory", "import-jsonl", "--scope", "workspace", file, "--json"];
    const child = spawn(binaries.cli, args, { env: home.env, stdio: ["ignore", "pipe", "ignore"] });
    let acknowledged = "";
    child.stdout.on("data", (chunk) => {
      acknowledged += chunk;
    });
    if (delay !== null) sleep(delay).then(() => child.kill("SIGKILL"));
    child.on("close", (code, signal) => {
      resolve({ code, signal, acknowledged: acknowledged.trim() !== "", ms: performance.now() - start });
    });
  });
}

test("kill -9 at any moment of an import of lines: complete or absent, and an intact store", async (t) => {
  const base = makeHome();
  t.after(base.remove);
  await makeWorkspace(base);
  for (const text of KEPT) await add(base, text);
  const file = join(base.path, "turns.jsonl");
  writeJsonl(file, makeTurns(TURNS));

  const whole = copyOf(base);
  const undisturbed = await importAndKill(whole, file, null);
  assert.equal(undisturbed.code, 0);
  assert.equal((await listAll(whole)).length, TURNS + KEPT.length);
  await whole.remove();

  let cut = 0;
  for (let point = 0; point < POINTS; point++) {
    const home = copyOf(base);
    try {
      const ended = await importAndKill(home, file, (undisturbed.ms * (point + 0.5)) / POINTS);
      const where = `killed at point ${point} after ${ended.ms.toFixed(0)} of ${undisturbed.ms.toFixed(0)} ms`;
      if (ended.signal === "SIGKILL") cut++;
      const reopen = performance.now();
      const { code, report, trouble } = await doctor(home);
      assert.equal(code, 0, `${where}: doctor found trouble: ${report}${trouble}`);
      assert.ok(
        performance.now() - reopen < 10_000,
        `${where}: reopening took ${performance.now() - reopen} ms`,
      );
      const rows = await listAll(home);
      const imported = rows.length - KEPT.length;
      assert.ok(imported === 0 || imported === TURNS, `${where}: ${imported} of ${TURNS} turns are there`);
      if (ended.acknowledged) assert.equal(imported, TURNS, `${where}: it was acknowledged`);
      for (const text of KEPT) {
        const found = await memory(home, "search", text, "--limit", "3");
        assert.ok(
          found.hits.some((hit) => hit.row.preview === text),
          `${where}: "${text}" is lost`,
        );
      }
    } finally {
      await home.remove();
    }
  }
  t.diagnostic(`${cut} of ${POINTS} kills met a running import of ${undisturbed.ms.toFixed(0)} ms`);
  assert.ok(cut >= POINTS / 2, `only ${cut} of ${POINTS} kills met a running import`);
});
