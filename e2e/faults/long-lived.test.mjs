// Every tool of a long-lived MCP process that writes x every operation on a file: the process dies there, or the operation
// fails once or for a while. One that lives answers with an error at most, and its next write works; whatever it
// acknowledged is there when the folder is opened again.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { overStdio } from "../lib/mcp.mjs";
import { noteText } from "../lib/together.mjs";
import { faultsOf } from "./lib/faults.mjs";
import { areThere, holds, makeTally } from "./lib/invariant.mjs";
import { bySize, choose, inTurns, numbers, SEED } from "./lib/random.mjs";
import { CLIENT, freshCopy, makeWorld } from "./lib/verbs.mjs";

/** Operations of each tool and way. */
const POINTS = bySize(1, 4, 60);
const ABREAST = 2;

let world;
before(async () => {
  world = await makeWorld();
});
after(() => world.home.remove());

/** What each tool that writes is called with, by its name and action; `n` differs from call to call. */
const TOOLS = {
  memory_put: (n) => ({ tier: "workspace", content: noteText("Cole", n) }),
  memory_update: (n, { ids }) => ({ id: ids.observed, content: `Lamp moths gather at toll house ${n}.` }),
  memory_forget: (_, { ids }) => ({ id: ids.fading, reason: "it is over" }),
  "scratchpad write": (n, { conversations }) => ({
    action: "write",
    conversation: conversations.said,
    key: `note ${n}`,
    value: { n },
  }),
  "scratchpad clear": (_, { conversations }) => ({
    action: "clear",
    conversation: conversations.said,
    key: "plan",
  }),
  "fact set": (n) => ({ action: "set", category: "weir", key: `stone ${n}`, value: `number ${n}` }),
  "conversation append": (n, { conversations }) => ({
    action: "append",
    conversation: conversations.said,
    text: `Word ${n} of the agent.`,
  }),
  proposal_create: (n, { ids }) => ({
    kind: "edit",
    ids: [ids.kept],
    content: `Another text, number ${n}.`,
    reason: "it is newer",
  }),
  memory_switch: () => ({ enabled: false }),
};
/** Actions that only read. A scrub wants a grant and a manifest: the command line's scrub is the same use case. */
const READING = ["get", "list", "read", "search"];

/** A client, and what becomes of a call: "done", an error's code, or "died". */
async function start(home, faults) {
  const client = await overStdio({ ...home, env: { ...home.env, ...faults.env } }, CLIENT);
  const gone = new Promise((resolve) => {
    client.onclose = () => resolve("died");
  });
  const tries = async (name, args) => {
    const [tool] = name.split(" ");
    const answered = client.callTool({ name: tool, arguments: args }).then(
      (result) => (result.isError ? result.structuredContent.error.code : "done"),
      () => "died",
    );
    return Promise.race([answered, gone]);
  };
  return { client, tries, gone };
}

test("every writing tool is tested here, or states where it is tested instead", async (t) => {
  const home = freshCopy(world);
  t.after(home.remove);
  const client = await overStdio(home, CLIENT);
  const { tools } = await client.listTools();
  await client.close();
  const writing = tools
    .filter(({ annotations }) => !annotations.readOnlyHint)
    .flatMap(({ name, inputSchema }) => {
      const actions = inputSchema.properties.action?.enum.filter((action) => !READING.includes(action));
      return actions ? actions.map((action) => `${name} ${action}`) : [name];
    });
  assert.deepEqual(writing.sort(), Object.keys(TOOLS).sort());
});

/** Tells how many operations a call makes. */
async function operationsOf(name) {
  const home = freshCopy(world);
  const faults = faultsOf(home);
  const { client, tries } = await start(home, faults);
  const before = faults.look().count;
  assert.equal(await tries(name, TOOLS[name](1, world)), "done", name);
  const { count } = faults.look();
  await client.close();
  await home.remove();
  return count - before;
}

const chosen = () => {
  const names = Object.keys(TOOLS);
  return choose(numbers("tools"), names.length, bySize(2, names.length, names.length)).map(
    (n) => names[n - 1],
  );
};

test("an operation that fails once or for a while gives at most an error, and the next write works", async (t) => {
  const tally = makeTally();
  const wrong = [];
  await inTurns(chosen(), ABREAST, async (name) => {
    const home = freshCopy(world);
    const faults = faultsOf(home);
    const { client, tries } = await start(home, faults);
    const written = new Set();
    let n = 100;
    const note = async (where) => {
      const { content } = TOOLS.memory_put(n++);
      const answer = await tries("memory_put", { tier: "workspace", content });
      assert.equal(answer, "done", `${where}: the next write was refused`);
      written.add(content);
    };
    try {
      const most = await operationsOf(name);
      for (const [mode, persistent] of [
        ["full", false],
        ["broken", false],
        ["full", true],
        ["broken", true],
      ]) {
        for (const at of choose(numbers(`${name} ${mode} ${persistent}`), most, POINTS)) {
          const where = `SEED=${SEED}: ${name}, ${mode}${persistent ? " from there on" : ""} at operation ${at} of ${most}`;
          tally.counts.tried++;
          faults.arm(faults.look().count + at, mode, { persistent });
          const answer = await tries(name, TOOLS[name](n++, world));
          const { hits } = faults.look();
          faults.disarm();
          if (hits > 0) tally.counts.met++;
          assert.notEqual(answer, "died", where);
          if (answer === "done") tally.counts.acknowledged++;
          else tally.refused(answer);
          // Whoever switched memory off could note nothing more.
          if (name === "memory_switch") await tries("memory_switch", { enabled: true });
          await note(where);
        }
      }
      await client.close();
      await holds(home, `SEED=${SEED}: ${name}, behind all of it`, tally);
      await areThere(home, written, `SEED=${SEED}: ${name}`, tally);
    } catch (error) {
      wrong.push(error.message);
    } finally {
      await client.close();
      await home.remove();
    }
  });
  tally.say(t, "operations that fail under a long-lived process");
  assert.ok(wrong.length === 0, wrong.join("\n\n"));
});

test("the acknowledged writes of a long-lived process that dies at an operation are there", async (t) => {
  const tally = makeTally();
  const wrong = [];
  await inTurns(chosen(), ABREAST, async (name) => {
    const most = await operationsOf(name);
    for (const mode of ["kill", "tear"]) {
      for (const at of choose(numbers(`${name} ${mode}`), most, POINTS)) {
        const home = freshCopy(world);
        const faults = faultsOf(home);
        const { client, tries } = await start(home, faults);
        const where = `SEED=${SEED}: ${name}, ${mode} at operation ${at} of ${most}`;
        tally.counts.tried++;
        try {
          const written = new Set();
          for (let n = 0; n < 3; n++) {
            const { content } = TOOLS.memory_put(n);
            if ((await tries("memory_put", { tier: "workspace", content })) === "done") written.add(content);
          }
          assert.equal(written.size, 3, where);
          faults.arm(faults.look().count + at, mode);
          const args = TOOLS[name](50, world);
          const answer = await tries(name, args);
          const { hits } = faults.look();
          if (hits > 0) tally.counts.met++;
          if (answer === "died") tally.counts.killed++;
          if (answer === "done" && name === "memory_put") written.add(args.content);
          tally.counts.acknowledged += written.size;
          await client.close();
          await holds(home, where, tally);
          await areThere(home, written, where, tally);
        } catch (error) {
          wrong.push(error.message);
        } finally {
          await client.close();
          await home.remove();
        }
      }
    }
  });
  tally.say(t, "a long-lived process that dies");
  assert.ok(wrong.length === 0, wrong.join("\n\n"));
});
