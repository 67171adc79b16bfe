// Who knows what, and when: through the command line, through a client that is bound to a knower, and through an export.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ask, cli, makeHome } from "../lib/app.mjs";
import { addClient, call, overStdio } from "../lib/mcp.mjs";
import { errorOf, installation, WORKSPACE } from "../lib/store.mjs";

/** Two characters of whom one is in a guild for a year, the Reader, three chapters of which the third happens first, and secrets. */
async function world(t) {
  const made = await installation(t);
  const { on } = made;
  await on("calendar", "add", "Reckoning", "--preset", "Gregorian");
  for (const [name, kind] of [
    ["Mira", "character"],
    ["Toma", "character"],
    ["Guild", "faction"],
    ["Reader", "audience"],
  ])
    await on("subject", "set", name, kind);
  for (const [name, dates, number] of [
    ["The Flood", "May, 812", "1"],
    ["The Trial", "August, 812", "2"],
    ["Before", "January, 790", "3"],
  ]) {
    await on("subject", "set", name, "chapter");
    await on("timeline", "set", name, dates, "--reading", number);
  }
  const member = (await on("link", "add", "Mira", "member of", "Guild")).detail.row.id;
  await on("timeline", "set", member, "1 January, 811 – 1 June, 812");
  const note = async (text, ...knowers) => {
    const { id } = (await on("memory", "add", "--scope", "workspace", text)).detail.row;
    if (knowers.length > 0) await on("link", "known-by", id, ...knowers);
    return id;
  };
  const ids = {
    key: await note("The key to the salt gate lies under the third stair.", "Mira", "Reader@The Trial"),
    vault: await note("The salt vault of the guild is empty.", "Guild@1 March, 812"),
    later: await note("The salt gate has a second lock now.", "Guild@1 July, 812"),
    common: await note("The salt gate stands at the harbour."),
    miller: await note("The heir of the salt gate is a miller's child.", "Reader@Before"),
  };
  return { ...made, ids };
}

const found = async (on, ...lens) =>
  (await on("memory", "search", "the salt gate", ...lens)).hits.map((hit) => hit.row.id);
const same = (actual, expected) => assert.deepEqual(new Set(actual), new Set(expected));

test("a search as somebody shows what they know by then, and what everybody knows", async (t) => {
  const { on, ids } = await world(t);
  same(await found(on), Object.values(ids));
  same(await found(on, "--as", "Toma"), [ids.common]);
  same(await found(on, "--as", "Mira", "--at", "1 February, 812"), [ids.key, ids.common]);
  same(await found(on, "--as", "Mira", "--at", "The Flood"), [ids.key, ids.vault, ids.common]);
  // She left the guild before it learned of the lock, and keeps what she learned in it.
  same(await found(on, "--as", "Mira"), [ids.key, ids.vault, ids.common]);
  same(await found(on, "--as", "Guild"), [ids.vault, ids.later, ids.common]);
});

test("the Reader learns by the order of reading, not by story time", async (t) => {
  const { on, ids } = await world(t);
  same(await found(on, "--as", "Reader", "--at", "chapter 1"), [ids.common]);
  same(await found(on, "--as", "Reader", "--at", "The Trial"), [ids.key, ids.common]);
  same(await found(on, "--as", "Reader", "--at", "Before"), [ids.key, ids.miller, ids.common]);
  // The order of reading changes, and what is revealed goes with the chapter.
  const chapter = (await on("memory", "search", "Before", "--scope", "workspace")).hits;
  assert.ok(chapter);
  await on("timeline", "set", "Before", "January, 790", "--reading", "1");
  await on("timeline", "set", "The Flood", "May, 812", "--reading", "2");
  same(await found(on, "--as", "Reader", "--at", "Before"), [ids.miller, ids.common]);
});

test("lists, the orientation and the page of a subject are seen through the same lens, and the ledger tells why", async (t) => {
  const { on, ids } = await world(t);
  const listed = (await on("memory", "list", "--as", "Toma")).rows.map((row) => row.id);
  assert.ok(listed.includes(ids.common) && !listed.includes(ids.key));
  const asked = ["orient", "--query", "the salt gate", "--as", "Toma", "--at", "The Flood"];
  const oriented = await on(...asked);
  assert.ok(oriented.markdown.includes("harbour") && !oriented.markdown.includes("stair"));
  const rule = (id) => oriented.items.find((item) => item.id === id)?.rule;
  assert.deepEqual([rule(ids.key), rule(ids.vault)], ["unknown", "unknown"]);
  assert.equal((await on(...asked, "--why", ids.key)).rule, "unknown");
  const mira = await on("subject", "show", "Mira");
  assert.deepEqual(
    mira.knows.map((row) => row.id),
    [ids.key],
  );
  assert.deepEqual(
    (await on("memory", "get", ids.key)).knownBy.map(({ name, since }) => [name, since]),
    [
      ["Mira", null],
      ["Reader", "The Trial"],
    ],
  );
});

test("a client that is bound to a knower reads through their eyes alone, and is told nothing else", async (t) => {
  const { home, on, ids } = await world(t);
  await addClient(home, "Actor", { allow: ["workspace:read", "workspace:write", "propose"] });
  await ask(home, "client", "grant", "Actor", "--as", "Toma");
  const mcp = await overStdio(home, "Actor");
  t.after(() => mcp.close());
  const hits = (await call(mcp, "memory_search", { query: "the salt gate" })).candidates ?? [];
  assert.ok(!JSON.stringify(hits).includes("stair"));
  const missing = await mcp.callTool({ name: "memory_get", arguments: { id: ids.key } });
  const never = await mcp.callTool({
    name: "memory_get",
    arguments: { id: "01900000-0000-7000-8000-000000000000" },
  });
  const answered = (answer, id) => JSON.stringify(answer.content).replaceAll(id, "ID");
  assert.ok(missing.isError);
  assert.equal(answered(missing, ids.key), answered(never, "01900000-0000-7000-8000-000000000000"));
  // What it writes is known by whom it speaks as.
  const put = await call(mcp, "memory_put", {
    tier: "workspace",
    content: "The ferry waits at the salt gate.",
  });
  assert.deepEqual(
    (await on("memory", "get", put.id)).knownBy.map((knower) => knower.name),
    ["Toma"],
  );
  assert.ok(!(await found(on, "--as", "Mira")).includes(put.id));
  // A knower that is gone: nothing is shown any more.
  await on("named", "remove", "Toma");
  const after = await mcp.callTool({ name: "memory_search", arguments: { query: "the salt gate" } });
  assert.ok(after.isError, JSON.stringify(after.content));
  await ask(home, "client", "grant", "Actor", "--no-lens");
  const all = JSON.stringify(
    await mcp.callTool({ name: "memory_search", arguments: { query: "third stair" } }),
  );
  assert.ok(all.includes("stair"));
});

test("a conversation has its lens from before the first word, and what goes on with it has the same", async (t) => {
  const { home, on } = await world(t);
  const started = await on("conversation", "start", "--as", "Mira", "--at", "The Flood");
  assert.deepEqual([started.lens.knower, started.lens.at], ["Mira", "The Flood"]);
  const { refCode } = started;
  await on("conversation", "lens", refCode, "--as", "Toma");
  await on("conversation", "say", refCode, "--no-answer", "Who keeps the salt gate?");
  const late = await cli(home, [
    "--json",
    "--workspace",
    WORKSPACE,
    "conversation",
    "lens",
    refCode,
    "--as",
    "Mira",
  ]);
  assert.equal(errorOf(late).code, "invalid");
  const oriented = await on("orient", "--conversation", refCode, "--query", "the salt gate");
  assert.ok(!oriented.markdown.includes("stair"), "Toma does not know it");
  assert.equal((await on("conversation", "continue", refCode)).lens.knower, "Toma");
});

test("who knows what is exported and imported, and undone", async (t) => {
  const { home, on, ids } = await world(t);
  const file = join(home.path, "world.inklings");
  await on("conversation", "start", "--title", "As Mira", "--as", "Mira", "--at", "3 May, 812");
  await on("memory", "undo");
  assert.deepEqual((await on("memory", "get", ids.miller)).knownBy, []);
  await on("export", file);
  const other = await installation(t);
  await other.on("import", file);
  same(await found(other.on, "--as", "Mira"), await found(on, "--as", "Mira"));
  same(
    await found(other.on, "--as", "Reader", "--at", "The Trial"),
    await found(on, "--as", "Reader", "--at", "The Trial"),
  );
  const [lensed] = (await other.on("conversation", "list")).rows.filter((row) => row.title === "As Mira");
  assert.deepEqual([lensed.lens.knower, lensed.lens.at], ["Mira", "3 May, 812 Anno Domini"]);
});

test("facts that some know are listed as somebody at a time, told to their client, and kept by an export", async (t) => {
  const { home, on } = await world(t);
  for (const [key, value, holds] of [
    ["keeper", "Bera", "– 811"],
    ["keeper", "Cord", "812 –"],
    ["heir", "a miller's child", ""],
    ["harbour", "Saltmouth", ""],
  ])
    await on("fact", "set", "Ambry", key, value, "--holds", holds);
  await on("fact", "set", "Ambry", "rumour", "a second heir", "--curator", "agent");
  await on("fact", "set", "Ambry", "heir", "nobody", "--curator", "agent");
  const set = await on("fact", "known-by", "Ambry", "heir", "Mira", "Reader@Before");
  const known = [
    ["Mira", null],
    ["Reader", "Before"],
  ];
  assert.deepEqual(
    set.knownBy.map(({ name, since }) => [name, since]),
    known,
  );
  await on("fact", "known-by", "Ambry", "keeper", "Guild@1 March, 812", "--within", "812");
  const text = await cli(home, ["--workspace", WORKSPACE, "fact", "list"]);
  assert.match(text.stdout, /miller's child {2}\[known by: Mira, Reader \(since Before\)\]/);
  const values = async (from, ...lens) => (await from("fact", "list", ...lens)).rows.map((row) => row.value);
  const everybody = ["Saltmouth", "Bera"];
  const list = async (from) => {
    same(await values(from, "--as", "Toma"), everybody);
    same(await values(from, "--as", "Mira", "--at", "1 February, 812"), ["Saltmouth", "a miller's child"]);
    same(await values(from, "--as", "Mira", "--at", "The Flood"), ["Saltmouth", "a miller's child", "Cord"]);
    same(await values(from, "--as", "Reader", "--at", "The Trial"), ["Saltmouth"]);
    same(await values(from, "--as", "Reader"), [...everybody, "a miller's child"]);
    same(await values(from, "--at", "3 May, 790"), [
      "Saltmouth",
      "Bera",
      "a miller's child",
      "a second heir",
    ]);
    const page = await from("fact", "list", "--as", "Mira", "--limit", "2");
    const rest = await from("fact", "list", "--as", "Mira", "--limit", "2", "--after", page.next);
    same(
      [...page.rows, ...rest.rows].map((row) => row.value),
      ["Saltmouth", "a miller's child", "Bera", "Cord"],
    );
    assert.deepEqual([page.rows.length, rest.rows.length, rest.next], [2, 2, null]);
    assert.ok([...page.rows, ...rest.rows].every((row) => row.claims.length === 0));
  };
  await list(on);
  await addClient(home, "Actor", { allow: ["workspace:read"] });
  await ask(home, "client", "grant", "Actor", "--as", "Toma");
  const mcp = await overStdio(home, "Actor");
  t.after(() => mcp.close());
  const shown = await call(mcp, "fact", { action: "get", category: "Ambry" });
  same(
    shown.facts.map((fact) => fact.value),
    everybody,
  );
  const get = (key) => mcp.callTool({ name: "fact", arguments: { action: "get", category: "Ambry", key } });
  const [hidden, never] = [await get("heir"), await get("nose")];
  assert.ok(hidden.isError && never.isError);
  assert.equal(
    JSON.stringify(hidden.content).replaceAll("heir", "KEY"),
    JSON.stringify(never.content).replaceAll("nose", "KEY"),
  );
  const oriented = await on("orient", "--query", "Who is the heir of Ambry?", "--as", "Toma");
  assert.ok(oriented.markdown.includes("Saltmouth") && !oriented.markdown.includes("miller"));
  const file = join(home.path, "world.inklings");
  await on("export", file);
  const other = await installation(t);
  await other.on("import", file, "--pick-all");
  await list(other.on);
  // The list of then has the knowers of then.
  const { rows } = await on("fact", "list", "--category", "Ambry");
  const { updatedAt } = rows.find((row) => row.key === "rumour");
  same(await values(on, "--as-of", updatedAt, "--as", "Toma"), [...everybody, "a miller's child", "Cord"]);
  const asked = await on("fact", "known-by", "Ambry", "heir");
  assert.deepEqual(
    asked.knownBy.map(({ name, since }) => [name, since]),
    known,
    "without names it shows and changes nothing",
  );
  await on("fact", "known-by", "Ambry", "heir", "--everybody");
  same(await values(on, "--as", "Toma"), [...everybody, "a miller's child"]);
  const fails = async (...args) =>
    errorOf(await cli(home, ["--json", "--workspace", WORKSPACE, ...args])).code;
  assert.equal(await fails("fact", "known-by", "Ambry", "heir", "Nobody"), "not_found");
  assert.equal(await fails("fact", "known-by", "Ambry", "heir", "Mira@some day"), "invalid");
  assert.equal(await fails("fact", "known-by", "Ambry", "keeper", "Mira"), "invalid");
  assert.equal(await fails("fact", "list", "--as", "Nobody"), "not_found");
});

test("what is no subject, no chapter, no date, and a subject of another world are refused", async (t) => {
  const { home, on, ids } = await world(t);
  const fails = async (...args) => errorOf(await cli(home, ["--json", "--workspace", WORKSPACE, ...args]));
  assert.equal((await fails("memory", "search", "salt", "--as", "Nobody")).code, "not_found");
  assert.equal(
    (await fails("memory", "search", "salt", "--as", "Mira", "--at", "chapter 9")).code,
    "not_found",
  );
  assert.equal((await fails("memory", "search", "salt", "--as", "Mira", "--at", "some day")).code, "invalid");
  assert.equal((await fails("link", "known-by", ids.common, "Mira@some day")).code, "invalid");
  assert.equal((await fails("link", "known-by", "Mira", "Mira")).code, "invalid");
  assert.equal((await fails("conversation", "start", "--as", "Nobody")).code, "not_found");
  assert.equal(
    (await on("conversation", "list")).rows.length,
    0,
    "a lens that cannot be read starts nothing",
  );
  const account = (await on("memory", "add", "--scope", "account", "I write at night.")).detail.row.id;
  assert.equal((await fails("link", "known-by", account, "Mira")).code, "invalid");
  const mira = (await on("subject", "show", "Mira")).row.id;
  await ask(home, "workspace", "create", "Elsewhere");
  const elsewhere = await cli(home, ["--json", "--workspace", "Elsewhere", "memory", "list", "--as", mira]);
  assert.equal(errorOf(elsewhere).code, "not_found");
});

test("no secret of a generated story leaks through any way in, and nothing is withheld wrongly", async (t) => {
  const home = makeHome();
  t.after(home.remove);
  const report = await ask(home, "bench", "probes", "--probes", "1000", "--seed", "7");
  assert.deepEqual([report.leaks, report.withheldWrongly, report.failures], [0, 0, []]);
  assert.ok(report.ways.length > 30 && report.ways.every((way) => way.probes > 0));
  const hidden = report.ways.reduce((sum, way) => sum + way.hidden, 0);
  assert.ok(hidden > 300, `${hidden} probes asked for what is not known`);
});

test("who knows of the entries of a lorebook and of a vault comes in, is shown before, and goes out again", async (t) => {
  const { home, on } = await installation(t);
  const secret = "The key to the salt gate lies under the third stair.";
  const entry = (uid, comment, content, characterFilter) => ({
    uid,
    key: [comment],
    comment,
    content,
    ...(characterFilter && { characterFilter }),
  });
  const book = {
    entries: {
      0: entry(0, "Mira", "She rows the night ferry."),
      1: entry(1, "The key", secret, { isExclude: false, names: ["Mira", "Toma"], tags: [] }),
      2: entry(2, "The lock", "The salt gate has a second lock.", {
        isExclude: true,
        names: ["Mira"],
        tags: [],
      }),
    },
  };
  const file = join(home.path, "lore.json");
  writeFileSync(file, JSON.stringify(book));
  const look = await cli(home, ["--workspace", WORKSPACE, "import", file, "--dry-run"]);
  assert.match(look.stdout, /The key \(known by Mira, Toma\)/);
  assert.match(look.stdout, /Toma \(character\) +because it knows of what only some know/);
  assert.match(
    look.stdout,
    /The lock {2}\(not picked\)\n {2}more would know of it than do here or in the file/,
  );
  assert.deepEqual((await on("subject", "list")).rows, [], "a look adds nobody");
  await on("import", file);
  await on("subject", "set", "Sel", "character");
  const texts = async (...lens) => (await on("memory", "list", ...lens)).rows.map((row) => row.preview);
  assert.ok((await texts("--as", "Toma")).includes(secret));
  assert.ok(!(await texts("--as", "Sel")).includes(secret));
  assert.ok(!(await texts()).some((text) => text.includes("second lock")), "an exclusion is left out");
  await on("import", file, "--pick-all");
  const out = join(home.path, "out.json");
  await on("export", out, "--format", "sillytavern");
  const back = JSON.parse(readFileSync(out, "utf8"));
  for (const [uid, given] of Object.entries(book.entries)) assert.deepEqual(back.entries[uid], given);

  const vault = join(home.path, "vault");
  await on("export", vault, "--format", "markdown");
  assert.match(
    readFileSync(join(vault, "The key.md"), "utf8"),
    /known_by:\n {2}- "\[\[Mira\]\]"\n {2}- "\[\[Toma\]\]"\n/,
  );
  const other = await installation(t);
  const { runId } = await other.on("import", vault, "--pick-all");
  const rows = (await other.on("memory", "list", "--as", "Toma")).rows;
  assert.ok(rows.some((row) => row.preview === secret));
  await other.on("consolidate", "revert", runId);
  assert.deepEqual((await other.on("subject", "list")).rows, []);
});
