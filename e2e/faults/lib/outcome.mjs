// What came of a verb that met a fault: whole, not at all, or a step of the way where it goes by steps.
import assert from "node:assert/strict";
import { cli } from "../../lib/app.mjs";
import { lapseAll } from "../../lib/database.mjs";
import { WORKSPACE } from "../../lib/store.mjs";
import { holds, isClean } from "./invariant.mjs";
import { difference, standing } from "./standing.mjs";
import { argsOf, envOf, freshCopy } from "./verbs.mjs";

export function judgeOf(world, tally) {
  /** What the folder holds after a verb, with the job that goes on behind it, and a write behind both. */
  const settled = async (home, verb, where) => {
    if (verb.job) {
      lapseAll(home, verb.job);
      const done = await cli(home, ["--json", "--workspace", WORKSPACE, "schedule", "run", verb.job]);
      assert.equal(done.code, 0, `${where}: the job behind it does not go on: ${done.stderr}`);
    }
    await holds(home, where, tally);
    return standing(home);
  };
  const untouched = new Map();
  /** What the folder holds without the verb. */
  const none = async (verb) => {
    if (!untouched.has(verb.job)) {
      const home = freshCopy(world);
      untouched.set(verb.job, await settled(home, verb, "untouched"));
      await home.remove();
    }
    return untouched.get(verb.job);
  };
  /** Runs a verb that goes by steps again. What is missing then; a verb that `resumes` goes on in its own way. */
  const missingBehind = async (home, verb, done, where) => {
    if (verb.job) lapseAll(home, verb.job);
    const again = await cli(home, argsOf(verb, world, home), { env: envOf(verb) });
    assert.equal(again.code, 0, `${where}: run again: ${again.stderr}`);
    if (verb.resumes) return "";
    // The write behind the fault is there already, and `done` holds one.
    await isClean(home, where, tally);
    const found = difference(standing(home), done);
    // The write behind the fault is work for such a verb, which `done` does not hold: only what is missing counts.
    if (verb.takesMore)
      return found
        .split("\n")
        .filter((line) => line.trimStart().startsWith("- "))
        .join("\n");
    return found;
  };
  /** Fails unless the folder is sound, and the verb, if it was acknowledged, there. `done` is what it holds then. */
  const judge = async ({ home, verb, done, acknowledged, where }) => {
    const before = await none(verb);
    const found = await settled(home, verb, where);
    if (difference(found, done) === "") return;
    const against = `${difference(found, done)}\nagainst none:\n${difference(found, before)}`;
    if (acknowledged && !verb.resumes) {
      tally.counts.lost++;
      assert.fail(`${where}: it was acknowledged and is not there:\n${against}`);
    }
    if (difference(found, before) === "") return;
    assert.ok(verb.steps || verb.resumes, `${where}: half of it is there:\n${against}`);
    const missing = await missingBehind(home, verb, done, where);
    assert.equal(missing, "", `${where}: half of it is there, and running it again does not finish it`);
  };
  return { settled, judge };
}
