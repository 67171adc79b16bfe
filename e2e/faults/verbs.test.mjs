// Every verb that writes x every operation on a file: killed there, refused by a full disk or a broken one, torn in the
// middle. Afterwards the folder is sound, the next write works, and the verb happened whole or not at all.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { cli } from "../lib/app.mjs";
import { faultsOf } from "./lib/faults.mjs";
import { codeOf, makeTally } from "./lib/invariant.mjs";
import { judgeOf } from "./lib/outcome.mjs";
import { readLog } from "./lib/power.mjs";
import { bySize, choose, inTurns, numbers, SEED } from "./lib/random.mjs";
import {
  argsOf,
  chosenVerbs,
  envOf,
  freshCopy,
  listVerbs,
  makeWorld,
  OTHERS,
  spokenOf,
  VERBS,
} from "./lib/verbs.mjs";

/** How each operation goes wrong: `full` and `broken` once, or from there on. */
const WAYS = [
  { mode: "kill" },
  { mode: "tear" },
  { mode: "full" },
  { mode: "broken" },
  { mode: "full", persistent: true },
  { mode: "broken", persistent: true },
];
/** Operations of each verb and way. */
const POINTS = bySize(1, 2, 8);
/** How a flush of a commit fails. Its pages may be on the disk all the same. */
const FLUSHES = [{ mode: "broken" }, { mode: "broken", persistent: true }, { mode: "full" }];
/**
 * In every sample: the audit row of a purge and its deletion are two steps, so a row that a failed commit left has to be followed by the
 * other; a move changes the account and a workspace, or two workspaces.
 */
const ALWAYS_FLUSHED = ["backup purge", "memory move"];
const ABREAST = 2;

let world;
before(async () => {
  world = await makeWorld();
});
after(() => world.home.remove());

/** Runs a verb in a home of its own, with a fault armed at one operation. Without one, the operations are written down. */
async function run(verb, fault) {
  const home = freshCopy(world);
  const log = fault ? undefined : join(home.path, "log");
  const faults = faultsOf(home, { below: verb.below ? join(home.path, verb.below) : home.data, log });
  if (fault) faults.arm(fault.at, fault.mode, fault);
  const result = await cli(home, argsOf(verb, world, home), { env: { ...faults.env, ...envOf(verb) } });
  return { home, result, records: log ? readLog(log) : [], ...faults.look() };
}

/**
 * Runs a verb with a fault at one of `points`. What a verb does at its end, after its answer, differs from run to run: a
 * run that ended before its point is done again at an earlier one.
 */
async function meet(verb, at, way, points) {
  for (let left = 2; ; left--) {
    const tried = await run(verb, { at, ...way });
    if (tried.hits > 0 || left === 0) return { ...tried, at };
    await tried.home.remove();
    at = points.filter((point) => point <= tried.count && point < at).at(-1) ?? Math.ceil(tried.count / 2);
  }
}

const anyOperations = (random, { count }) => choose(random, count, POINTS);
/** The operations that flush a commit to the log of a database. */
const commits = (_, { records }) =>
  records.filter(({ kind, path }) => kind === "sync" && path.endsWith("-wal")).map(({ index }) => index);

test("every verb of the help is tested here, or states where it is tested instead", async () => {
  const tried = [...VERBS.map(({ name }) => name), ...OTHERS.reads];
  const placed = new Set([...tried, ...Object.keys(OTHERS.twins), ...Object.keys(OTHERS.elsewhere)]);
  const known = await listVerbs(world.home);
  assert.ok(known.length > 90, `${known.length} verbs`);
  assert.deepEqual(
    known.filter((name) => !placed.has(name)),
    [],
  );
});

async function tryAll(t, verbs, { ways = WAYS, pointsOf = anyOperations, what = "file operations" } = {}) {
  const tally = makeTally();
  const { settled, judge } = judgeOf(world, tally);
  const wrong = [];
  await inTurns(verbs, ABREAST, async (verb) => {
    const name = spokenOf(verb, world);
    const whole = await run(verb);
    let done;
    try {
      assert.equal(whole.result.code, 0, `${name}, undisturbed: ${whole.result.stderr}`);
      done = await settled(whole.home, verb, `${name}, undisturbed`);
    } catch (error) {
      wrong.push(error.message);
      return;
    } finally {
      await whole.home.remove();
    }
    for (const way of ways) {
      const random = numbers(`${name} ${way.mode} ${way.persistent ?? ""}`);
      const points = pointsOf(random, whole);
      for (const point of points) {
        const { home, result, hits, hit, at } = await meet(verb, point, way, points);
        const where = `SEED=${SEED}: ${name}, ${way.mode}${way.persistent ? " from there on" : ""} at ${hit} ${at} of ${whole.count}`;
        tally.counts.tried++;
        if (hits > 0) tally.counts.met++;
        try {
          const acknowledged = result.code === 0;
          if (result.signal) tally.counts.killed++;
          else if (acknowledged) tally.counts.acknowledged++;
          else tally.refused(codeOf(result));
          assert.notEqual(result.signal, "SIGTERM", `${where}: it hung`);
          assert.notEqual(result.code, 101, `${where}: it panicked: ${result.stderr}`);
          // A fault of the disk has a code of its own.
          assert.notEqual(codeOf(result), "internal", `${where}: ${result.stderr}`);
          await judge({ home, verb, done, acknowledged, where });
        } catch (error) {
          wrong.push(error.message);
        } finally {
          await home.remove();
        }
      }
    }
  });
  tally.say(t, `verbs x ${what}`);
  assert.ok(wrong.length === 0, wrong.join("\n\n"));
  const { met, tried } = tally.counts;
  assert.ok(met >= tried * 0.8, `only ${met} of ${tried} faults were met`);
}

test("every verb x every file operation: intact, complete or absent, and the next write works", async (t) => {
  await tryAll(t, chosenVerbs("verbs", 3));
});

test("a commit whose flush fails: complete or absent, and the next write works", async (t) => {
  const chosen = chosenVerbs("flushes", 2);
  const always = VERBS.filter(({ name }) => ALWAYS_FLUSHED.includes(name));
  const verbs = process.env.VERB ? chosen : [...new Set([...chosen, ...always])];
  await tryAll(t, verbs, { ways: FLUSHES, pointsOf: commits, what: "flushes of commits" });
});

for (const verb of VERBS.filter(({ todo }) => todo))
  test(
    `${verb.name} x every file operation`,
    { todo: verb.todo, skip: bySize("`make faults` tries it", false, false) },
    (t) => tryAll(t, [verb]),
  );
