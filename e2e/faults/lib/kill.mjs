// Kills commands in the middle and looks at what they leave.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { binaries, makeHome } from "../../lib/app.mjs";
import { doctor, WORKSPACE } from "../../lib/store.mjs";
import { bySize } from "./random.mjs";

/** How many moments a command is killed at: every time-based test of kills takes as many. */
export const POINTS = bySize(12, 50, 150);

/** A guard against a recovery that hangs, in milliseconds. */
const LONGEST_OPEN = 10_000;

/** A home of its own with the same data. */
export const copyOf = (base) => {
  const home = makeHome();
  cpSync(base.data, home.data, { recursive: true });
  return home;
};

/**
 * Runs the command line and kills it when `moment` comes: after so many milliseconds, or when the promise that it makes
 * of a signal of the end resolves. Resolves with whether the kill met it, with its exit code, and with what it printed.
 */
export async function killedAt(home, moment, args, workspace = WORKSPACE) {
  const stdio = ["ignore", "pipe", "ignore"];
  const child = spawn(binaries.cli, ["--workspace", workspace, ...args], { env: home.env, stdio });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const gone = new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal })));
  const stop = new AbortController();
  const due =
    typeof moment === "number"
      ? sleep(moment, "due", { signal: stop.signal }).catch(() => {})
      : moment(stop.signal).then(() => "due");
  if ((await Promise.race([gone, due])) === "due") child.kill("SIGKILL");
  const { code, signal } = await gone;
  stop.abort();
  return { met: signal === "SIGKILL", code, output };
}

/** How long a command takes when nobody disturbs it, in milliseconds. */
async function undisturbed(base, args, workspace) {
  const home = copyOf(base);
  const began = performance.now();
  assert.equal((await killedAt(home, 120_000, args, workspace)).code, 0);
  const took = performance.now() - began;
  await home.remove();
  return took;
}

/**
 * Kills a command at points spread over its time, each in a copy of its own, and looks at what is left. `moments` are
 * tried after those, as functions of the home and a signal that say in `where` when it is; at least `alive` of all must meet
 * the command running. `look` is given the home, where the kill was, and what the command had printed.
 * A command that was done before its kill ran faster than was thought, because the machine has less to do by now: the
 * points move together, and this one is tried again.
 */
export async function atEveryPoint(t, base, args, look, options = {}) {
  const { points = POINTS, moments = [], alive, workspace } = options;
  let took = await undisturbed(base, args, workspace);
  const kill = async (moment, where) => {
    const home = copyOf(base);
    try {
      const began = performance.now();
      const due = typeof moment === "number" ? moment : (signal) => moment(home, signal);
      const { met, output } = await killedAt(home, due, args, workspace);
      const ran = performance.now() - began;
      const { code, report, trouble } = await doctor(home);
      assert.equal(code, 0, `${where}: doctor found trouble: ${report}${trouble}`);
      const reopened = performance.now() - began - ran;
      assert.ok(reopened < LONGEST_OPEN, `${where}: it took ${reopened.toFixed(0)} ms to open again`);
      await look(home, where, output);
      return { met, ran };
    } finally {
      await home.remove();
    }
  };
  let met = 0;
  for (let point = 0; point < points; point++) {
    for (let again = 0; again < 4; again++) {
      const after = (took * (point + 0.5)) / points;
      const ended = await kill(after, `killed after ${after.toFixed(0)} of ${took.toFixed(0)} ms`);
      if (ended.met) {
        met++;
        break;
      }
      took = Math.min(took, ended.ran) * 0.97;
    }
  }
  for (const moment of moments) if ((await kill(moment, `killed ${moment.where}`)).met) met++;
  const all = points + moments.length;
  t.diagnostic(`${met} of ${all} kills met a running ${args.slice(0, 2).join(" ")} of ${took.toFixed(0)} ms`);
  assert.ok(met >= (alive ?? all / 2), `only ${met} of ${all} kills met it`);
}
