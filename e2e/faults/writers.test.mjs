// Sixteen processes write and are killed at random, while backups are put back, subjects scrubbed, workspaces deleted and
// memory consolidated by processes that are killed, too. Every acknowledgement is accounted for: what it stood for is in use,
// or in the backup, trash or quarantine that the disturbance made of what was there.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ask, binaries, cli } from "../lib/app.mjs";
import { addClient, overStdio } from "../lib/mcp.mjs";
import { makeWorkspace, memory, WORKSPACE } from "../lib/store.mjs";
import { noteText } from "../lib/together.mjs";
import { heldTexts } from "./lib/everywhere.mjs";
import { codeOf, holds, makeTally } from "./lib/invariant.mjs";
import { copyOf } from "./lib/kill.mjs";
import { bySize, numbers, SEED } from "./lib/random.mjs";
import { bareHome } from "./lib/verbs.mjs";

/** Processes that write: half of them for long, half of them one command after the other. */
const WRITERS = bySize(4, 16, 16);
/** How often each disturbance is made. */
const ROUNDS = bySize(1, 8, 120);
/** Names that differ enough that no guard takes one note for another. */
const NAMES = Array.from(
  { length: 16 },
  (_, n) => `${"ABCDEFGHIJKLMNOP"[n]}${"aeiou"[n % 5]}${"lmnr"[n % 4]}is`,
);

/** A writer is told that a database is busy only after it waited this long, in milliseconds. */
const PATIENCE = 30_000;
/** The code of a refusal; marked if a writer was refused as busy before it had waited. */
const refusal = (code, since) =>
  code === "busy" && performance.now() - since < PATIENCE ? "busy, too soon" : code;

/** In `make test` the first of them stands for all. */
const elsewhere = { skip: bySize("`make faults` tries it", false, false) };

let base;
before(async () => {
  base = bareHome();
  await makeWorkspace(base);
  for (let n = 0; n < 12; n++)
    await memory(
      base,
      "add",
      "--scope",
      "workspace",
      `Quillon ${n % 4} opens the ${n < 6 ? "weir" : "Weir"} at noon.`,
      "--curator",
      "agent",
    );
  for (const name of NAMES) await addClient(base, name, { allow: ["workspace:write"] });
});
after(() => base.remove());

/** Starts the writers; `stop` resolves once they ended, with what was acknowledged. */
function startWriters(home, tally, workspaceOf) {
  const acknowledged = new Set();
  let goesOn = true;
  let counted = 0;
  const note = (name) => noteText(name, counted++);
  const long = async (name, random) => {
    const client = await overStdio(home, name).catch(() => null);
    if (!client) return;
    const gone = new Promise((resolve) => {
      client.onclose = () => resolve(null);
    });
    const last = 1 + Math.floor(random() * 12);
    for (let n = 0; goesOn && n <= last; n++) {
      const content = note(name);
      const since = performance.now();
      const call = client
        .callTool({ name: "memory_put", arguments: { tier: "workspace", content } })
        .catch(() => null);
      if (n === last)
        sleep(random() * 20)
          .then(() => process.kill(client.transport.pid, "SIGKILL"))
          .catch(() => {});
      const result = await Promise.race([call, gone]);
      tally.counts.tried++;
      if (!result) {
        tally.counts.killed++;
        break;
      }
      const error = result.isError && result.structuredContent.error;
      if (error) tally.refused(refusal(error.code, since), `memory_put: ${JSON.stringify(error)}`);
      else acknowledged.add(content);
    }
    await client.close().catch(() => {});
  };
  const short = async (name, random) => {
    const content = note(name);
    const args = ["--json", "--workspace", workspaceOf(), "memory", "add", "--scope", "workspace", content];
    const since = performance.now();
    const child = spawn(binaries.cli, args, { env: home.env, stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    if (random() < 0.3) sleep(random() * 400).then(() => child.kill("SIGKILL"));
    const [code, signal] = await new Promise((resolve) => child.on("close", (...ended) => resolve(ended)));
    tally.counts.tried++;
    if (code === 0) acknowledged.add(content);
    else if (signal) tally.counts.killed++;
    else tally.refused(refusal(codeOf({ code, signal, stderr }), since), `memory add: ${stderr}`);
  };
  const writers = Array.from({ length: WRITERS }, async (_, n) => {
    const random = numbers(`writer ${n}`);
    while (goesOn) await (n % 2 ? short : long)(NAMES[n], random);
  });
  const stop = async () => {
    goesOn = false;
    await Promise.all(writers);
    tally.counts.acknowledged = acknowledged.size;
    return acknowledged;
  };
  return { stop, acknowledged };
}

/** Runs a command that may be killed; resolves with its result, `null` if it was. */
async function disturb(home, random, ...args) {
  const shall = random() < 0.4;
  if (!shall) return cli(home, ["--json", "--workspace", WORKSPACE, ...args]);
  const child = spawn(binaries.cli, ["--workspace", WORKSPACE, ...args], { env: home.env, stdio: "ignore" });
  const gone = new Promise((resolve) => child.on("close", resolve));
  sleep(random() * 900).then(() => child.kill("SIGKILL"));
  await gone;
  return null;
}

/** Disturbs the writers so often, and accounts for what they were told. */
async function account(
  t,
  what,
  disturbance,
  { kept = false, workspaceOf = () => WORKSPACE, refusals = [] } = {},
) {
  const home = copyOf(base);
  t.after(home.remove);
  Object.assign(home.env, { INKLINGS_RESOURCES: home.path, INKLINGS_SECRETS: "file" });
  const tally = makeTally();
  const random = numbers(what);
  const writers = startWriters(home, tally, workspaceOf);
  try {
    for (let round = 0; round < ROUNDS; round++) {
      // Some of what is written comes before, and some behind it.
      const enough = writers.acknowledged.size + WRITERS;
      for (let waited = 0; writers.acknowledged.size < enough && waited < 600; waited++) await sleep(50);
      await disturbance(home, random, round, tally);
      tally.counts.met++;
    }
  } finally {
    await writers.stop();
  }
  const where = `SEED=${SEED}: ${what}`;
  await holds(home, where, tally);
  const held = heldTexts(home);
  const lost = [...writers.acknowledged].filter(
    (text) => !held.live.has(text) && !(kept && held.kept.has(text)),
  );
  tally.counts.lost = lost.length;
  tally.say(t, `${WRITERS} writers under ${what}`);
  assert.ok(
    writers.acknowledged.size >= WRITERS * ROUNDS,
    `${where}: only ${writers.acknowledged.size} writes`,
  );
  assert.deepEqual(
    lost,
    [],
    `${where}: ${lost.length} of ${writers.acknowledged.size} acknowledged writes are nowhere`,
  );
  const expected = new Set(["already_noted", "busy", ...refusals]);
  assert.deepEqual(
    [...tally.messages].filter(([code]) => !expected.has(code)),
    [],
    `${where}: what a writer was told`,
  );
}

test("writers during restores: every acknowledged write is live or in the backup of the earlier state", async (t) => {
  await account(
    t,
    "restores",
    async (home, random) => {
      const { id } = await ask(home, "backup", "now");
      await sleep(random() * 300);
      const done = await disturb(home, random, "backup", "restore", id);
      assert.ok(done === null || done.code === 0, done?.stderr);
    },
    { kept: true },
  );
});

test(
  "writers during scrubs of a subject: every acknowledged write of others is there",
  elsewhere,
  async (t) => {
    await account(t, "scrubs", async (home, random, round) => {
      await memory(home, "add", "--scope", "workspace", `Zanzibarquux ${round} is to be forgotten.`);
      const scrub = ["scrub", "subject", "Zanzibarquux", "--mode", "full"];
      const { hash, phrase } = await ask(home, "--workspace", WORKSPACE, ...scrub);
      const done = await disturb(home, random, ...scrub, "--execute", hash, "--phrase", phrase);
      // Refused if a writer came in between: a new dry run is needed.
      assert.ok(done === null || done.code === 0 || codeOf(done) === "stale_manifest", done?.stderr);
    });
  },
);

test(
  "writers during deletions: every acknowledged write of a deleted workspace is in the trash",
  elsewhere,
  async (t) => {
    let current = WORKSPACE;
    await account(
      t,
      "deletions",
      async (home, random, round) => {
        const name = `Shortlived ${round}`;
        await ask(home, "workspace", "create", name);
        current = name;
        await sleep(300 + random() * 600);
        const done = await disturb(home, random, "workspace", "delete", name);
        current = WORKSPACE;
        assert.ok(done === null || done.code === 0, done?.stderr);
      },
      { kept: true, workspaceOf: () => current, refusals: ["not_found"] },
    );
  },
);

test(
  "writers during consolidations: every acknowledged write is there, active or retained by a run",
  elsewhere,
  async (t) => {
    await account(t, "consolidations", async (home, random) => {
      const done = await disturb(home, random, "consolidate", "run");
      assert.ok(done === null || done.code === 0 || codeOf(done) === "busy", done?.stderr);
    });
  },
);
