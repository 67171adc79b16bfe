// Every verb that writes x every operation on a file: killed there, refused by a full disk or a broken one, torn in the
// middle. Afterwards the folder is sound, the next write works, and the verb happened whole or not at all.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { cli } from "../lib/app.mjs";
import { lapseAll } from "../lib/database.mjs";
import { WORKSPACE } from "../lib/store.mjs";
import { faultsOf } from "./lib/faults.mjs";
import { codeOf, holds, makeTally } from "./lib/invariant.mjs";
import { bySize, choose, inTurns, numbers, SEED } from "./lib/random.mjs";
import { difference, standing } from "./lib/standing.mjs";
import { argsOf, envOf, freshCopy, knownVerbs, makeWorld, OTHERS, spokenOf, VERBS } from "./lib/verbs.mjs";

/** How each operation goes wrong: `full` and `broken` once, or from there on. */
const WAYS = [
  { mode: "kill" },
  { mode: "tear" },
  { mode: "full" },
  { mode: "broken" },
  { mode: "full", lasting: true },
  { mode: "broken", lasting: true },
];
/** Operations of each verb and way. */
const POINTS = bySize(1, 2, 24);
const ABREAST = 2;

let world;
before(async () => {
  world = await makeWorld();
});
after(() => world.home.remove());

/** Runs a verb in a home of its own, with a fault armed at one operation. */
async function run(verb, fault) {
  const home = freshCopy(world);
  const faults = faultsOf(home, { below: verb.below ? join(home.path, verb.below) : home.data });
  if (fault) faults.arm(fault.at, fault.mode, fault);
  const result = await cli(home, argsOf(verb, world, home), { env: { ...faults.env, ...envOf(verb) } });
  return { home, result, ...faults.look() };
}

/** What the folder holds after a verb, with the job that goes on behind it, and a write behind both. */
async function settled(home, verb, where, tally) {
  if (verb?.job) {
    lapseAll(home, verb.job);
    const done = await cli(home, ["--json", "--workspace", WORKSPACE, "schedule", "run", verb.job]);
    assert.equal(done.code, 0, `${where}: the job behind it does not go on: ${done.stderr}`);
  }
  await holds(home, where, tally);
  return standing(home);
}

/** True if a verb that is made of steps, run again, ends with the whole. */
async function endsWhole(home, verb, done, where, tally) {
  const again = await cli(home, argsOf(verb, world, home), { env: envOf(verb) });
  assert.equal(again.code, 0, `${where}: run again: ${again.stderr}`);
  return difference(await settled(home, verb, where, tally), done) === "";
}

test("every verb of the help is tried here, or it says where else", async () => {
  const tried = [...VERBS.map(({ name }) => name), ...OTHERS.reads];
  const placed = new Set([...tried, ...Object.keys(OTHERS.twins), ...Object.keys(OTHERS.elsewhere)]);
  const known = await knownVerbs(world.home);
  assert.ok(known.length > 90, `${known.length} verbs`);
  assert.deepEqual(
    known.filter((name) => !placed.has(name)),
    [],
  );
});

/** In `make test` some of the verbs are tried, the same ones for the same seed; `VERB=...` chooses by name. */
const chosen = () => {
  if (process.env.VERB) return VERBS.filter(({ name }) => name.startsWith(process.env.VERB));
  const count = bySize(3, VERBS.length, VERBS.length);
  return choose(numbers("verbs"), VERBS.length, count).map((n) => VERBS[n - 1]);
};

test("every verb x every file operation: sound, whole or not at all, and the next write works", async (t) => {
  const tally = makeTally();
  const untouched = new Map();
  const before = async (verb) => {
    if (!untouched.has(verb.job)) {
      const home = freshCopy(world);
      untouched.set(verb.job, await settled(home, verb, "untouched", tally));
      await home.remove();
    }
    return untouched.get(verb.job);
  };
  const wrong = [];
  await inTurns(chosen(), ABREAST, async (verb) => {
    const name = spokenOf(verb, world);
    const whole = await run(verb);
    let done;
    const none = await before(verb);
    try {
      assert.equal(whole.result.code, 0, `${name}, undisturbed: ${whole.result.stderr}`);
      done = await settled(whole.home, verb, `${name}, undisturbed`, tally);
    } catch (error) {
      wrong.push(error.message);
      return;
    } finally {
      await whole.home.remove();
    }
    for (const way of WAYS) {
      const random = numbers(`${name} ${way.mode} ${way.lasting ?? ""}`);
      for (const at of choose(random, whole.count, POINTS)) {
        const ended = await run(verb, { at, ...way });
        const { home, result, hits, hit } = ended;
        const where = `SEED=${SEED}: ${name}, ${way.mode}${way.lasting ? " from there on" : ""} at ${hit} ${at} of ${whole.count}`;
        tally.counts.tried++;
        if (hits > 0) tally.counts.met++;
        try {
          if (result.signal) tally.counts.killed++;
          else if (result.code === 0) tally.counts.acknowledged++;
          else tally.refused(codeOf(result));
          assert.notEqual(result.signal, "SIGTERM", `${where}: it hung`);
          assert.notEqual(result.code, 101, `${where}: it panicked: ${result.stderr}`);
          const found = await settled(home, verb, where, tally);
          const isWhole = difference(found, done) === "";
          const isNone = difference(found, none) === "";
          if (result.code === 0 && !isWhole) {
            tally.counts.lost++;
            assert.fail(`${where}: it was acknowledged and is not there:\n${difference(found, done)}`);
          }
          const isSound =
            isWhole || isNone || (verb.steps && (await endsWhole(home, verb, done, where, tally)));
          const against = `${difference(found, done)}\nagainst none:\n${difference(found, none)}`;
          assert.ok(isSound, `${where}: half of it is there:\n${against}`);
        } catch (error) {
          wrong.push(error.message);
        } finally {
          await home.remove();
        }
      }
    }
  });
  tally.say(t, "verbs x file operations");
  assert.ok(wrong.length === 0, wrong.join("\n\n"));
  assert.ok(
    tally.counts.met >= tally.counts.tried * 0.8,
    `only ${tally.counts.met} of ${tally.counts.tried} faults were met`,
  );
});
