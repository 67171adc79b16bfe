// Invariant: memory does not grow with the file. A gigabyte goes out and comes in within 300 MB.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { binaries } from "../lib/app.mjs";
import { makeHomeFor, WORKSPACE } from "../lib/store.mjs";
import { writeOwn } from "../lib/transfer.mjs";

const MEGABYTE = 1 << 20;
const LIMIT = 300;
/** Few words, so that the time does not go into the index of words. */
const PHRASE = `${"tide".repeat(100)} `;
const SIZE = { account: 5_000, workspace: 15_000, messages: 35_000, bytes: 20_000, phrase: PHRASE };

/** Runs the command line; resolves with the most memory that it had, in megabytes. */
async function peakOf(home, ...args) {
  const child = spawn(binaries.cli, ["--json", "--workspace", WORKSPACE, ...args], {
    env: home.env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let trouble = "";
  child.stderr.on("data", (chunk) => {
    trouble += chunk;
  });
  let over = false;
  const gone = new Promise((resolve) =>
    child.on("close", (code) => {
      over = true;
      resolve(code);
    }),
  );
  let peak = 0;
  while (!over) {
    try {
      const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"));
      if (found) peak = Number(found[1]) / 1024;
    } catch {} // it has just ended
    await sleep(20);
  }
  assert.equal(await gone, 0, trouble);
  return peak;
}

test(`1 GB is exported and imported within ${LIMIT} MB of memory`, {
  skip: process.env.INKLINGS_LONG !== "1" && "set INKLINGS_LONG=1",
  timeout: 3_600_000,
}, async (t) => {
  const home = await makeHomeFor(t);
  const [file, out] = ["in.json", "out.json"].map((name) => join(home.path, name));
  writeOwn(file, SIZE);
  const size = statSync(file).size;
  assert.ok(size > 1024 * MEGABYTE, `the file has ${size} bytes`);
  const within = async (what, ...args) => {
    const began = performance.now();
    const peak = await peakOf(home, ...args);
    const seconds = (performance.now() - began) / 1000;
    t.diagnostic(`${what}: ${peak.toFixed(0)} MB at most, ${seconds.toFixed(0)} s`);
    assert.ok(peak < LIMIT, `${what} took ${peak.toFixed(0)} MB`);
  };
  await within("dry run", "import", file, "--pick-all", "--dry-run");
  await within("import", "import", file, "--pick-all");
  rmSync(file);
  await within("export", "export", out);
  assert.ok(statSync(out).size > 1024 * MEGABYTE, `the export has ${statSync(out).size} bytes`);
});
