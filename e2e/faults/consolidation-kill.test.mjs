// Invariant: after a kill at any moment of a consolidation the store is clean, the next run goes on under the same name,
// and taking that run back brings back exactly what was there before.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ask, makeHome } from "../lib/app.mjs";
import { lapse, settle, workspaceFile } from "../lib/database.mjs";
import { add, doctor, listAll, makeWorkspace, WORKSPACE } from "../lib/store.mjs";
import { copyOf, killedAt, POINTS } from "./lib/kill.mjs";
import { inTurns, numbers } from "./lib/random.mjs";

/** Homes that are worked on side by side. */
const ABREAST = 2;

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const names = Array.from(
  { length: 26 },
  (_, n) => `${LETTERS[n].toUpperCase()}${LETTERS[(n * 7 + 4) % 26]}lin`,
);

/** Entries of which some fade, some say the same, some contradict each other, and some belong in one text. */
const TOGETHER = ["ferry", "mill", "market", "chapel", "toll house", "tannery"].flatMap((place, n) => [
  `The ${place} of ${names[n]} opens its north door at dawn.`,
  `The ${place} of ${names[n]} opens the north door each day at dawn.`,
  `At dawn each day the ${place} of ${names[n]} opens its north door.`,
]);
const APART = [
  ...Array.from({ length: 210 }, (_, n) => [
    `A passing thought, number ${n} of many.`,
    "--importance",
    "0.001",
  ]),
  ...names
    .slice(0, 10)
    .flatMap((name) => [
      [`${name} keeps the keys of the weir house.`],
      [`${name.toUpperCase()} keeps the keys of the weir house`],
    ]),
  ...names
    .slice(0, 3)
    .flatMap((name) => [
      [`The favourite colour of ${name} is purple.`],
      [`The favourite colour of ${name} is cyan.`],
    ]),
];

const does = (home, ...args) => ask(home, "--workspace", WORKSPACE, "consolidate", ...args);

/** Everything that a list shows of entries but what every write moves on, by id. */
async function standing(home) {
  const rows = await listAll(home);
  return new Map(rows.map(({ version, updatedAt, relevance, hasEmbedding, ...row }) => [row.id, row]));
}

/** Bytes of the log that the database of a running process writes ahead; none before the first write. */
const logged = (file) => {
  try {
    return statSync(`${file}-wal`).size;
  } catch {
    return 0;
  }
};

/**
 * Begins a consolidation and kills it once its log holds more than so many bytes: how far it came, however busy the machine
 * is. Resolves with the most bytes that were seen.
 */
async function consolidateAndKill(home, bytes) {
  const file = workspaceFile(home);
  let most = 0;
  const grown = async (ended) => {
    while (most <= bytes && !ended.aborted) {
      most = Math.max(most, logged(file));
      await sleep(1);
    }
  };
  await killedAt(home, grown, ["consolidate", "run"]);
  return most;
}

test("kill -9 at any moment of a consolidation: intact, resumed, and reverted completely", async (t) => {
  const base = makeHome();
  t.after(base.remove);
  await makeWorkspace(base);
  const observe = (text, ...args) => add(base, text, "--curator", "agent", ...args);
  await inTurns(TOGETHER, ABREAST, (text) => observe(text));
  await inTurns(APART, ABREAST, (args) => observe(...args));
  // A run would embed first, and the kills would meet that.
  await ask(base, "embed");
  // A process that ends in a hurry may leave its log behind; a kill is timed by what the log grows to.
  settle(base);
  const before = await standing(base);

  const undisturbed = copyOf(base);
  const most = await consolidateAndKill(undisturbed, Number.POSITIVE_INFINITY);
  const [{ state, counts }] = (await does(undisturbed, "list")).rows;
  await undisturbed.remove();
  assert.equal(state, "done");
  for (const act of ["faded", "merged", "rewritten", "created", "proposed"]) assert.ok(counts[act] > 0, act);
  t.diagnostic(`${before.size} entries, ${most} bytes of log; ${JSON.stringify(counts)}`);

  const random = numbers("consolidation");
  const points = Array.from({ length: POINTS }, () => Math.floor(random() * most));
  let cut = 0;
  await inTurns(points, ABREAST, async (bytes, point) => {
    const home = copyOf(base);
    const where = `point ${point}, killed after ${bytes} of ${most} bytes`;
    try {
      await consolidateAndKill(home, bytes);
      const { code, report, trouble } = await doctor(home);
      assert.equal(code, 0, `${where}: doctor found trouble: ${report}${trouble}`);
      const [left] = (await does(home, "list")).rows;
      const met = left?.state === "running";
      assert.ok(met || left === undefined || left.state === "done", `${where}: ${left?.state}`);
      if (met) cut++;
      lapse(home, "consolidate");
      const run = await does(home, "run");
      if (met) assert.deepEqual([run.id, run.state], [left.id, "done"], where);
      // A kill that came too late met a run that was done; the next one is another then.
      for (const id of new Set([run.id, left?.id ?? run.id])) {
        const reverted = await does(home, "revert", id);
        assert.deepEqual([reverted.run.state, reverted.conflicts], ["reverted", []], where);
      }
      assert.deepEqual(await standing(home), before, where);
    } finally {
      await home.remove();
    }
  });
  t.diagnostic(`${cut} of ${POINTS} kills met a running consolidation`);
  assert.ok(cut >= POINTS / 2, `only ${cut} of ${POINTS} kills met a running consolidation`);
});
