// The wall clock jumps: back a day, forward ten years, and back again. Order comes from sequences, no task runs twice for it,
// and none waits for ever.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, before, test } from "node:test";
import { ask, binaries } from "../lib/app.mjs";
import { call, overStdio } from "../lib/mcp.mjs";
import { memory, WORKSPACE } from "../lib/store.mjs";
import { noteText } from "../lib/together.mjs";
import { faultsOf } from "./lib/faults.mjs";
import { areThere, holds } from "./lib/invariant.mjs";
import { bySize } from "./lib/random.mjs";
import { CLIENT, freshCopy, makeWorld } from "./lib/verbs.mjs";

const DAY = 86_400;
const DECADE = 3_653 * DAY;

let world;
before(async () => {
  world = await makeWorld();
});
after(() => world.home.remove());

/** A home whose clock can be moved under everything that is started in it. */
function movable() {
  const home = freshCopy(world);
  const faults = faultsOf(home);
  Object.assign(home.env, faults.env);
  return { home, moveClock: faults.moveClock };
}

test("versions of an entry are ordered by sequence under any clock", async () => {
  const { home, moveClock } = movable();
  const id = world.ids.edited;
  const texts = [];
  for (const [n, offset] of [-DAY, DECADE, 0, -DAY].entries()) {
    moveClock(offset);
    texts.unshift(`The edited stone, as of step ${n}.`);
    await memory(home, "edit", id, "--content", texts[0]);
  }
  const history = await memory(home, "history", id);
  assert.deepEqual(
    history.slice(0, texts.length).map(({ content }) => content),
    texts,
  );
  moveClock(0);
  await holds(home, "the clock went back and forth");
  await home.remove();
});

test("undo reverts the last change although the clock went back a day", async () => {
  const { home, moveClock } = movable();
  const id = world.ids.edited;
  const { content } = await memory(home, "get", id);
  moveClock(-DAY);
  await memory(home, "edit", id, "--content", "The edited stone, of yesterday.");
  await memory(home, "undo");
  const now = (await memory(home, "get", id)).content;
  await home.remove();
  assert.equal(now, content);
});

test("a process writes on through jumps of the clock, and every write is there", async () => {
  const { home, moveClock } = movable();
  const client = await overStdio(home, CLIENT);
  const written = [];
  for (const [n, offset] of [0, DECADE, -DAY, 2 * 3_600, 3_600, 0].entries()) {
    moveClock(offset);
    const content = noteText("Ilse", n);
    await call(client, "memory_put", { tier: "workspace", content });
    written.push(content);
  }
  await client.close();
  await areThere(home, written, "behind the jumps");
  await holds(home, "behind the jumps");
  await home.remove();
});

test("a lease acquired ten years ahead by a process that died blocks nobody", async () => {
  const { home, moveClock } = movable();
  moveClock(DECADE);
  const args = ["--workspace", WORKSPACE, "consolidate", "run"];
  for (let n = 0; n < bySize(1, 3, 10); n++) {
    const child = spawn(binaries.cli, args, { env: home.env, stdio: "ignore" });
    const gone = new Promise((resolve) => child.on("close", resolve));
    setTimeout(() => child.kill("SIGKILL"), 200 + 150 * n);
    await gone;
  }
  moveClock(0);
  const run = await ask(home, ...args);
  assert.equal(run.state, "done");
  await holds(home, "behind the lease");
  await home.remove();
});

test("a clock ten years ahead removes no backup that a person made", async () => {
  const { home, moveClock } = movable();
  const asked = async () =>
    (await ask(home, "backup", "list")).rows.map(({ id }) => id).filter((id) => id.endsWith("-asked"));
  const before = await asked();
  moveClock(DECADE);
  await ask(home, "backup", "now");
  const now = await asked();
  await home.remove();
  assert.deepEqual(
    before.filter((id) => !now.includes(id)),
    [],
  );
});
