// What keeps memory in order, through the command line: named entries, what the agent is shown and may note, runs of
// consolidation and of conversations that ended, proposals, tasks. Whatever is done by itself can be taken back.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ask, binaries, cli, makeHome } from "../lib/app.mjs";
import { startChatServer } from "../lib/chat-server.mjs";
import { lapse, rowsOf } from "../lib/database.mjs";
import { doctor, errorOf, idOf, listAll, makeWorkspace, memory, WORKSPACE } from "../lib/store.mjs";
import { until } from "../lib/webdriver.mjs";

/** A home with the workspace of all suites, and the verbs spoken in it. */
async function world(t) {
  const home = makeHome();
  t.after(home.remove);
  home.env.INKLINGS_SECRETS = "file";
  await makeWorkspace(home);
  const world = ["--workspace", WORKSPACE];
  const does = (...args) => ask(home, ...world, ...args);
  const tries = (...args) => cli(home, ["--json", ...world, ...args]);
  const reads = async (...args) => {
    const result = await cli(home, [...world, ...args]);
    assert.equal(result.code, 0, result.stderr);
    return result.stdout;
  };
  const note = async (text, ...args) =>
    idOf(await memory(home, "add", "--scope", "workspace", ...args, text));
  const observe = (text, ...args) => note(text, "--curator", "agent", ...args);
  const connect = async (script) => {
    const server = await startChatServer(script);
    t.after(server.stop);
    await does("chat", "connect", "--url", server.url, "--model", "test-model");
    return server;
  };
  return { home, does, tries, reads, note, observe, connect };
}

const refused = (result, code) => {
  assert.equal(result.code, 1, result.stdout);
  const error = errorOf(result);
  assert.equal(error.code, code, error.message);
  return error;
};
const texts = (rows) => rows.map((row) => row.preview).sort();

/** What a list shows of entries, but for what every write moves on: the version, and when. */
const asListed = async (home) => {
  const rows = await listAll(home);
  const stands = rows.map(({ version, updatedAt, relevance, hasEmbedding, ...row }) => row);
  return stands.sort((a, b) => (a.id < b.id ? -1 : 1));
};

test("VOICE and SOUL exist from the start, empty, each in its tier", async (t) => {
  const { does } = await world(t);
  const entries = await does("named", "list");
  assert.deepEqual(
    entries.map((entry) => [entry.name, entry.scope, entry.content, entry.standing]),
    [
      ["VOICE", "workspace", "", true],
      ["SOUL", "account", "", true],
    ],
  );
});

test("a named entry is added, written, renamed, aliased, removed and restored, ignoring case", async (t) => {
  const { does, tries } = await world(t);
  const show = (name) => does("named", "show", name);
  await does("named", "write", "voice", "Dry, and never cruel.");
  assert.equal((await show("Voice")).content, "Dry, and never cruel.");
  const { entry } = await does("named", "add", "Calendar", "Thirteen months.");
  await does("named", "rename", "CALENDAR", "Almanac");
  await does("named", "alias", "almanac", "The Year");
  for (const name of ["almanac", "calendar", "THE YEAR"]) assert.equal((await show(name)).id, entry.id, name);
  await does("named", "remove", "the year");
  refused(await tries("named", "show", "almanac"), "not_found");
  await does("memory", "undo");
  const back = await show("calendar");
  assert.deepEqual([back.id, back.name, back.content], [entry.id, "Almanac", "Thirteen months."]);
  await does("named", "write", "almanac", "Twelve months.");
  await does("memory", "undo");
  assert.equal((await show("almanac")).content, "Thirteen months.");
  refused(await tries("named", "write", "almanac", "--version", "1", "Eleven months."), "stale_version");
});

test("a name belongs to one entry: a name in use is refused, an alias moves only with --rebind", async (t) => {
  const { does, tries } = await world(t);
  await does("named", "add", "Mira", "The smith.");
  await does("named", "add", "Toma", "The ferryman.");
  await does("named", "alias", "Toma", "Keeper");
  for (const taken of ["mira", "KEEPER", "voice"]) {
    const error = refused(await tries("named", "add", taken, "x"), "already_exists");
    assert.equal(error.details.field, "name", taken);
  }
  refused(await tries("named", "rename", "mira", "toma"), "already_exists");
  refused(await tries("named", "alias", "mira", "keeper"), "already_exists");
  assert.equal((await does("named", "show", "keeper")).name, "Toma");
  await does("named", "alias", "mira", "keeper", "--rebind");
  assert.equal((await does("named", "show", "keeper")).name, "Mira");
  assert.deepEqual((await does("named", "show", "toma")).aliases, []);
  refused(await tries("named", "alias", "mira", "toma", "--rebind"), "invalid");
  // The account's names are its own.
  await does("named", "add", "--scope", "account", "Mira", "A friend who reads along.");
  assert.equal((await does("named", "show", "mira")).scope, "workspace");
  assert.equal((await does("named", "show", "--scope", "account", "mira")).scope, "account");
});

test("equal calls give equal documents: named entries first and complete, the rest within the budget, with reasons", async (t) => {
  const { home, does, reads, note } = await world(t);
  const voice = `Dry, exact, and never cruel. ${"The river decides what a scene may cost. ".repeat(12)}End.`;
  await does("named", "write", "VOICE", voice);
  for (let n = 1; n <= 12; n++) await note(`The weir at Veyra lost ${n} stones in the flood of ${1400 + n}.`);
  await memory(home, "add", "--scope", "account", "the weir at Veyra lost 12 stones in the flood of 1412.");
  const query = ["--query", "Which stones did the weir lose in the flood?"];
  const document = await reads("orient", ...query);
  assert.equal(await reads("orient", ...query), document);
  assert.ok(
    document.startsWith("## Standing notes of the worldbuilder\n### VOICE\n"),
    document.slice(0, 200),
  );
  assert.ok(document.includes(voice), "whole");
  const whole = await does("orient", ...query);
  const budget = 500;
  const view = await does("orient", ...query, "--budget", String(budget));
  assert.ok(
    whole.tokens > budget && view.tokens <= budget,
    `${view.tokens} of ${budget}, ${whole.tokens} whole`,
  );
  assert.ok(view.markdown.includes(voice), "whole under a budget too");
  const explained = await reads("orient", ...query, "--budget", String(budget), "--explain");
  assert.match(explained, /left out: no room left/);
  assert.match(explained, /searched for: Which stones did the weir lose in the flood\?/);
  assert.match(await reads("orient", ...query, "--explain"), /left out: says the same as [0-9a-f-]{36}/);
  const tiny = await does("orient", ...query, "--budget", "10");
  assert.deepEqual(
    [...new Set(tiny.items.filter((item) => item.taken).map((item) => item.layer))],
    ["named"],
  );
  assert.equal(rowsOf(home, "SELECT count(*) AS n FROM orientations")[0].n, 0, "looking leaves no trace");
});

test("a memory of one channel is never shown in another", async (t) => {
  const { does } = await world(t);
  const add = (channel, text) =>
    does("memory", "add", "--scope", "channel", "--channel", channel, "--curator", "agent", text);
  await add("Plot", "The abbess drowns at the weir.");
  await add("Maps", "The weir lies two miles north.");
  const document = async (...args) => (await does("orient", "--query", "abbess weir", ...args)).markdown;
  assert.match(await document("--channel", "Plot"), /abbess drowns/);
  for (const args of [["--channel", "Maps"], ["--channel", "general"], []]) {
    const elsewhere = await does("orient", "--query", "abbess weir", ...args);
    assert.ok(!JSON.stringify(elsewhere).includes("drowns"), args.join(" "));
  }
  assert.match(await document("--channel", "Maps"), /two miles north/);
});

test("in a turn the agent stores only new texts, proposes where it may not write, and the ledger lists what it read", async (t) => {
  const { home, does, note, connect } = await world(t);
  const lost = "Captain Lind lost three ships at Veyra.";
  const mine = await note(lost);
  const put = (id, tier, content) => ({ id, name: "memory_put", arguments: { tier, content } });
  const rewrite = {
    id: mine,
    content: "Captain Lind lost four ships at Veyra.",
    reason: "one more was found",
  };
  await connect([
    {
      calls: [
        put("echo", "workspace", lost),
        put("first", "workspace", "The harbour chain is raised at dusk."),
        put("again", "channel", "the harbour chain is raised at dusk"),
        put("leak", "account", "Loves scenes with Captain Lind."),
        put("manner", "account", "Prefers short answers."),
        { id: "edit", name: "memory_update", arguments: rewrite },
      ],
    },
    { text: ["Three, ", "as far as I know."] },
  ]);
  const { refCode } = await does("conversation", "start");
  await does("conversation", "say", refCode, "How many ships did Captain Lind lose at Veyra?");
  const { messages } = await does("conversation", "show", refCode);
  const answers = Object.fromEntries(
    messages.filter((m) => m.role === "tool").map((m) => [m.tool.callId, JSON.parse(m.content)]),
  );
  assert.match(answers.echo.error, /recalled into this very turn/);
  assert.ok(answers.first.remembered);
  assert.ok(
    answers.again.error.includes(`noted already, in the memory ${answers.first.remembered}`),
    answers.again.error,
  );
  assert.match(answers.leak.error, /names something of this world/);
  assert.ok(answers.manner.remembered);
  assert.match(answers.edit.note, /filed as a proposal/);
  assert.deepEqual(texts(await listAll(home)), [
    lost,
    "Prefers short answers.",
    "The harbour chain is raised at dusk.",
  ]);

  const answer = messages.find((m) => m.role === "assistant");
  const [ledger, ...more] = rowsOf(home, "SELECT * FROM orientations");
  assert.deepEqual([ledger.message_id, ledger.query, more.length], [answer.id, messages[0].content, 0]);
  assert.ok(ledger.tokens <= ledger.budget);
  const items = rowsOf(home, "SELECT item_id, layer, taken FROM orientation_items");
  assert.ok(items.some((item) => item.item_id === mine && item.layer === "workspace" && item.taken === 1));

  const { rows: open } = await does("proposal", "list");
  assert.deepEqual(
    open.map((p) => [p.id, p.kind, p.content, p.filedBy, p.conversationRef]),
    [[answers.edit.proposed, "edit", rewrite.content, "agent", refCode]],
  );
  await does("proposal", "accept", answers.edit.proposed);
  const { row, content } = await memory(home, "get", mine);
  assert.deepEqual([content, row.curator], [rewrite.content, "author"]);
  assert.equal((await does("proposal", "list")).rows.length, 0);
});

test("consolidation merges only equal statements, proposes over contradictions, and leaves entries of others alone", async (t) => {
  const { home, does, tries, note, observe } = await world(t);
  const mill = [
    "The ferry at Veyra leaves the north pier at dawn.",
    "The ferry at Veyra leaves from the north pier each day at dawn.",
    "At dawn each day the ferry leaves the north pier at Veyra.",
  ];
  for (const text of mill) await observe(text);
  await does("embed");
  const gate = [
    await observe("The gate of Veyra is made of iron."),
    await observe("the gate of Veyra is made of IRON"),
  ];
  const faded = await observe("The innkeeper coughs.", "--importance", "0.001");
  await observe("Her favourite colour is purple.");
  await observe("Her favourite colour is cyan.");
  // Each of these twice, or faded: the author's, what was pinned, what was brought in, what has a name.
  const kept = [
    await note("Salt is dearer than silver."),
    await note("salt is dearer than silver", "--importance", "0.001"),
    await observe("The masks are burned at midnight."),
    await observe("the masks are burned at midnight", "--importance", "0.001"),
  ];
  for (const id of kept.slice(2)) await does("memory", "pin", id);
  const file = join(home.path, "brought.jsonl");
  writeFileSync(
    file,
    ["The orchard belongs to nobody.", "the orchard belongs to nobody"]
      .map((text) => `${JSON.stringify({ text, importance: 0.001 })}\n`)
      .join(""),
  );
  await memory(home, "import-jsonl", "--scope", "workspace", file);
  await does("named", "add", "Orchard", "The orchard belongs to nobody.");
  const before = await asListed(home);

  const preview = await does("consolidate", "preview");
  assert.deepEqual(await asListed(home), before, "a preview changes nothing");
  const run = await does("consolidate", "run");
  assert.deepEqual([run.state, run.counts], ["done", preview.counts]);
  const { faded: fades, merged, rewritten, created, proposed } = run.counts;
  assert.deepEqual(
    { fades, merged, rewritten, created, proposed },
    {
      fades: 1,
      merged: 1,
      rewritten: 3,
      created: 1,
      proposed: 1,
    },
  );
  const items = await does("consolidate", "show", run.id);
  const did = (act) => items.filter((item) => item.act === act);
  assert.deepEqual(
    did("faded").map((item) => item.row.id),
    [faded],
  );
  assert.deepEqual(
    did("merged").map((item) => [item.row.id, item.into].sort()),
    [gate.toSorted()],
  );
  assert.deepEqual(texts(did("rewritten").map((item) => item.row)), mill.toSorted());
  const after = await asListed(home);
  const left = new Set(after.map((row) => row.id));
  for (const row of before) {
    const untouched = row.curator === "author" || row.pinned;
    assert.ok(!untouched || left.has(row.id), `${row.preview} was touched`);
  }
  const { rows: open } = await does("proposal", "list");
  assert.deepEqual(
    open.map((p) => [p.kind, p.runId, p.subjects.map((s) => s.content).sort()]),
    [["conflict", run.id, ["Her favourite colour is cyan.", "Her favourite colour is purple."]]],
  );

  const again = await does("consolidate", "run");
  const { scanned, ...idle } = again.counts;
  assert.ok(
    Object.values(idle).every((count) => count === 0),
    JSON.stringify(idle),
  );
  assert.deepEqual(await asListed(home), after, "run twice is run once");
  assert.deepEqual(
    (await does("consolidate", "list")).rows.map((row) => row.id),
    [again.id, run.id],
  );
  const reverted = await does("consolidate", "revert", run.id);
  assert.deepEqual([reverted.run.state, reverted.conflicts], ["reverted", []]);
  assert.deepEqual(await asListed(home), before, "run and revert is as if nothing had been");
  refused(await tries("consolidate", "revert", run.id), "nothing_to_undo");
  assert.equal((await doctor(home)).code, 0);
});

/** A conversation in which two things were settled and two were noted, one of them worth keeping. */
async function talked(does) {
  const { refCode } = await does("conversation", "start");
  for (const text of [
    "We decided that the gate of Veyra stays iron.",
    "I prefer short scenes without prologues.",
  ])
    await does("conversation", "say", refCode, "--no-answer", text);
  const own = ["--scope", "conversation", "--conversation", refCode, "--curator", "agent"];
  await does("memory", "add", ...own, "--importance", "0.8", "Oskar Lind counts barges at dawn.");
  await does("memory", "add", ...own, "--importance", "0.2", "A passing thing about the weather.");
  return refCode;
}
const LEFT_BEHIND = [
  "I prefer short scenes without prologues.",
  "Oskar Lind counts barges at dawn.",
  "We decided that the gate of Veyra stays iron.",
];

test("an ended conversation leaves decisions in its channel, an episode, and no entries of its own", async (t) => {
  const { home, does } = await world(t);
  const ref = await talked(does);
  await does("conversation", "idle", ref);
  assert.deepEqual(texts(await listAll(home, "--scope", "channel")), LEFT_BEHIND);
  assert.deepEqual(await listAll(home, "--scope", "conversation"), []);
  const episodes = await does("conversation", "episodes", ref);
  assert.deepEqual(
    episodes.map((episode) => episode.turnCount),
    [2],
  );
  assert.match(episodes[0].summary, /stays iron/);
  const { rows: runs } = await does("consolidate", "list");
  assert.deepEqual(
    runs.map((run) => [run.task, run.state, run.trigger]),
    [["persist", "done", "closed"]],
  );
});

test("a killed extraction is resumed by the next run and doubles nothing", async (t) => {
  const { home, does, tries, connect } = await world(t);
  const ref = await talked(does);
  // The model is asked in the middle of the work, and never answers.
  const server = await connect([{ stall: "start" }, { stall: "start" }]);
  const child = spawn(binaries.cli, ["--workspace", WORKSPACE, "conversation", "idle", ref], {
    env: home.env,
    stdio: "ignore",
  });
  const gone = new Promise((resolve) => child.on("close", (_, signal) => resolve(signal)));
  await until("the work to be under way", () => server.requests.length > 0);
  child.kill("SIGKILL");
  assert.equal(await gone, "SIGKILL");
  await does("chat", "disconnect");
  const [cut] = (await does("consolidate", "list")).rows;
  assert.deepEqual([cut.task, cut.state], ["persist", "running"]);
  assert.equal((await doctor(home)).code, 0);
  refused(await tries("schedule", "run", "persist"), "busy");
  lapse(home, "persist");
  for (let time = 0; time < 2; time++) {
    await does("schedule", "run", "persist");
    const { rows: runs } = await does("consolidate", "list");
    assert.deepEqual(
      runs.map((run) => [run.id, run.state]),
      [[cut.id, "done"]],
    );
    assert.deepEqual(texts(await listAll(home, "--scope", "channel")), LEFT_BEHIND);
    assert.deepEqual(await listAll(home, "--scope", "conversation"), []);
    assert.equal((await does("conversation", "episodes", ref)).length, 1);
  }
});

/** Entries that belong in one text, which the model is asked for. */
async function worthTelling({ does, observe }) {
  for (const text of [
    "The ferry leaves the north pier at dawn.",
    "The ferry leaves from the north pier each day at dawn.",
    "At dawn each day the ferry leaves the north pier.",
  ])
    await observe(text);
  await does("embed");
}
const CHUNKS = ["Each day ", "at dawn ", "the ferry ", "leaves ", "the north pier."];

test("of two processes that consolidate at the same moment one runs and the other is refused", async (t) => {
  const it = await world(t);
  await worthTelling(it);
  await it.connect([{ text: CHUNKS, pauseMs: 500 }]);
  const both = await Promise.all([1, 2].map(() => it.tries("consolidate", "run")));
  const [done, other] = both.sort((a, b) => a.code - b.code);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(done.json.state, "done");
  refused(other, "busy");
  const { rows: runs } = await it.does("consolidate", "list");
  assert.deepEqual(
    runs.map((run) => [run.state, run.counts.rewritten, run.counts.created]),
    [["done", 3, 1]],
  );
  assert.deepEqual(texts(await listAll(it.home)), [CHUNKS.join("")]);
});

test("the lease of a killed process expires, and its run is resumed under its own id", async (t) => {
  const it = await world(t);
  await worthTelling(it);
  const server = await it.connect([{ stall: "start" }, { text: CHUNKS }]);
  const child = spawn(binaries.cli, ["--workspace", WORKSPACE, "consolidate", "run"], {
    env: it.home.env,
    stdio: "ignore",
  });
  const gone = new Promise((resolve) => child.on("close", (_, signal) => resolve(signal)));
  await until("the run to be under way", () => server.requests.length > 0);
  child.kill("SIGKILL");
  assert.equal(await gone, "SIGKILL");
  refused(await it.tries("schedule", "run", "consolidate"), "busy");
  const [cut] = (await it.does("consolidate", "list")).rows;
  assert.equal(cut.state, "running");
  refused(await it.tries("consolidate", "revert", cut.id), "busy");
  lapse(it.home, "consolidate");
  const run = await it.does("consolidate", "run");
  assert.deepEqual([run.id, run.state, run.counts.created], [cut.id, "done", 1]);
});
