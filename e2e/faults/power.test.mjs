// Power cuts: what every verb did to its files is recorded, and of what was not synced some is dropped or torn. Afterwards
// the folder is sound, the next write works, and what was acknowledged before the cut is there.
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { cli } from "../lib/app.mjs";
import { call, overStdio } from "../lib/mcp.mjs";
import { WORKSPACE } from "../lib/store.mjs";
import { noteText } from "../lib/together.mjs";
import { faultsOf } from "./lib/faults.mjs";
import { areThere, holds, makeTally } from "./lib/invariant.mjs";
import { judgeOf } from "./lib/outcome.mjs";
import { atRest, cutPower, layOut, readLog } from "./lib/power.mjs";
import { bySize, choose, inTurns, numbers, SEED } from "./lib/random.mjs";
import {
  argsOf,
  bareHome,
  CLIENT,
  chosenVerbs,
  envOf,
  freshCopy,
  makeWorld,
  spokenOf,
} from "./lib/verbs.mjs";

const ABREAST = 2;
/** Moments of each verb. */
const CUTS = bySize(1, 3, 30);
const SPARE = ["none", "some", "all"];

let world;
before(async () => {
  world = await makeWorld();
});
after(() => world.home.remove());

/** A home whose data folder is what a power cut left. */
function afterCut(home, disk, records, cut, spare, random) {
  const left = bareHome();
  layOut(cutPower(disk, records, cut, spare, random), home.data, left.data);
  cpSync(join(home.path, "files"), join(left.path, "files"), { recursive: true });
  return left;
}

test("a power cut at any moment of every verb: intact, complete or absent, and durable once acknowledged", async (t) => {
  const tally = makeTally();
  const { settled, judge } = judgeOf(world, tally);
  const verbs = chosenVerbs("power", 2).filter(({ below }) => below === undefined);
  const wrong = [];
  await inTurns(verbs, ABREAST, async (verb) => {
    const name = spokenOf(verb, world);
    const home = freshCopy(world);
    try {
      const log = join(home.path, "log");
      const faults = faultsOf(home, { log });
      const disk = atRest(home.data);
      const result = await cli(home, argsOf(verb, world, home), { env: { ...faults.env, ...envOf(verb) } });
      assert.equal(result.code, 0, `${name}: ${result.stderr}`);
      const records = readLog(log);
      const random = numbers(`power ${name}`);
      const cuts = choose(random, records.length, CUTS).flatMap((cut, k) => [[cut, SPARE[k % 3]]]);
      // Behind the acknowledgement nothing may depend on what was not synced.
      cuts.push([records.length, "none"], [records.length, "some"]);
      let done;
      for (const [cut, spare] of [[records.length, "all"], ...cuts]) {
        const where = `SEED=${SEED}: ${name}, power cut after ${cut} of ${records.length} operations, ${spare} of the rest kept`;
        const left = afterCut(home, disk, records, cut, spare, random);
        tally.counts.tried++;
        tally.counts.met++;
        try {
          if (!done) {
            done = await settled(left, verb, where);
            continue;
          }
          const acknowledged = cut === records.length;
          if (acknowledged) tally.counts.acknowledged++;
          await judge({ home: left, verb, done, acknowledged, where });
        } catch (error) {
          wrong.push(error.message);
        } finally {
          await left.remove();
        }
      }
    } catch (error) {
      wrong.push(error.message);
    } finally {
      await home.remove();
    }
  });
  tally.say(t, "power cuts under verbs");
  assert.ok(wrong.length === 0, wrong.join("\n\n"));
});

test("a power cut at any moment of an MCP process: every acknowledged write is there", async (t) => {
  const tally = makeTally();
  const home = freshCopy(world);
  t.after(home.remove);
  const log = join(home.path, "log");
  const faults = faultsOf(home, { log });
  const disk = atRest(home.data);
  const client = await overStdio({ ...home, env: { ...home.env, ...faults.env } }, CLIENT);
  const acknowledged = [];
  for (let n = 0; n < bySize(6, 30, 200); n++) {
    const content = noteText("Brin", n);
    await call(client, "memory_put", { tier: "workspace", content });
    acknowledged.push({ content, by: faults.look().count });
  }
  await client.close();
  const records = readLog(log);
  const random = numbers("power mcp");
  const wrong = [];
  await inTurns(choose(random, records.length, bySize(4, 60, 800)), ABREAST, async (cut, k) => {
    const { index } = records[cut - 1];
    const where = `SEED=${SEED}: power cut after ${cut} of ${records.length} operations`;
    const left = afterCut(home, disk, records, cut, SPARE[k % 3], random);
    tally.counts.tried++;
    tally.counts.met++;
    try {
      await holds(left, where, tally);
      const due = acknowledged.filter(({ by }) => by <= index).map(({ content }) => content);
      tally.counts.acknowledged += due.length;
      await areThere(left, due, where, tally);
    } catch (error) {
      wrong.push(error.message);
    } finally {
      await left.remove();
    }
  });
  tally.say(t, `power cuts under an MCP process of ${WORKSPACE}`);
  assert.ok(wrong.length === 0, wrong.join("\n\n"));
});
