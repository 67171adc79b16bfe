// What scripts rely on: ids, exit codes, JSON answers, JSON errors.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, cli, makeHome } from "../lib/app.mjs";
import { add, doctor, errorOf, listAll, makeWorkspace, memory, tryMemory, WORKSPACE } from "../lib/store.mjs";

let home;
before(async () => {
  home = makeHome();
  await makeWorkspace(home);
});
after(() => home.remove());

const UNKNOWN = "0190a3c2-0000-7000-8000-000000000000";
const fails = async (args, code, message) => {
  const result = await tryMemory(home, args);
  const shown = args.map((arg) => arg.slice(0, 60)).join(" ");
  assert.equal(result.code, 1, `${shown}: exit code; ${result.stderr.slice(0, 300)}`);
  const error = errorOf(result);
  assert.equal(error.code, code, `${shown}: ${error.message}`);
  assert.equal(result.stdout, "", `${shown}: nothing belongs on stdout`);
  assert.match(error.message, message ?? /\S/, shown);
  return error;
};

test("add prints only the id, and get finds the entry by it", async () => {
  const args = [
    "--workspace",
    WORKSPACE,
    "memory",
    "add",
    "--scope",
    "workspace",
    "--tag",
    "bells",
    "--importance",
    "0.8",
  ];
  const added = await cli(home, [...args, "The bell of Vell is cracked"]);
  assert.equal(added.code, 0, added.stderr);
  assert.match(added.stdout, /^[0-9a-f-]{36}\n$/);
  const { row, content } = await memory(home, "get", added.stdout.trim());
  assert.equal(content, "The bell of Vell is cracked");
  assert.deepEqual(
    [row.tags, row.importance, row.scope, row.curator, row.version],
    [["bells"], 0.8, "workspace", "author", 1],
  );
});

test("text in any script is read back exactly as written", async () => {
  for (const text of [
    "日本語の記憶 and Ελληνικά",
    "a\n\n\tb  c ",
    "emoji 🧵👩‍👩‍👧‍👦",
    "--scope",
    "<script>alert(1)</script>",
    '%_*"()^:-',
  ]) {
    const id =
      (await memory(home, "add", "--scope", "workspace", "--", text)).id ?? (await listAll(home))[0].id;
    assert.equal((await memory(home, "get", id)).content.trim(), text.trim());
  }
});

test("edit keeps the replaced version, undo restores it, history lists both", async () => {
  const id = await add(home, "The toll is two pennies");
  await memory(home, "edit", id, "--content", "The toll is three pennies");
  assert.equal((await memory(home, "get", id)).content, "The toll is three pennies");
  const history = await memory(home, "history", id);
  assert.deepEqual(
    history.map((item) => item.content),
    ["The toll is three pennies", "The toll is two pennies"],
  );
  await memory(home, "undo");
  assert.equal((await memory(home, "get", id)).content, "The toll is two pennies");
});

test("a forgotten memory leaves list and search, and restore and undo bring it back", async () => {
  const id = await add(home, "Quillwort grows by the sluice");
  const found = async () =>
    (await memory(home, "search", "quillwort sluice")).hits.some((hit) => hit.row.id === id);
  assert.ok(await found());
  await memory(home, "forget", id);
  assert.ok(!(await found()));
  assert.ok(!(await listAll(home)).some((row) => row.id === id));
  await memory(home, "restore", id);
  assert.ok(await found());
  await memory(home, "forget", id);
  await memory(home, "undo");
  assert.ok(await found());
});

test("a stale edit is refused with both versions in the answer", async () => {
  const id = await add(home, "The lamp moths are white");
  await memory(home, "edit", id, "--content", "The lamp moths are grey", "--version", "1");
  const error = await fails(
    ["edit", id, "--content", "The lamp moths are blue", "--version", "1"],
    "stale_version",
  );
  assert.equal(error.details.current.content, "The lamp moths are grey");
  assert.equal(error.details.yoursContent, "The lamp moths are blue");
  assert.equal((await memory(home, "get", id)).content, "The lamp moths are grey");
});

test("bad input is refused with a code and a sentence, and writes nothing", async () => {
  const before = (await listAll(home)).length;
  const scope = ["--scope", "workspace"];
  await fails(["add", ...scope, ""], "invalid");
  await fails(["add", ...scope, " \n\t "], "invalid");
  await fails(["add", ...scope, "é".repeat(32 * 1024 + 1)], "invalid"); // 2 bytes over 64 KiB
  await fails(["add", ...scope, "--importance", "NaN", "x"], "invalid", /importance/i);
  await fails(["add", ...scope, "--importance", "1.5", "x"], "invalid", /importance/i);
  await fails(["get", UNKNOWN], "not_found");
  await fails(["edit", UNKNOWN, "--content", "x"], "not_found");
  await fails(["forget", UNKNOWN], "not_found");
  await fails(["import-jsonl", ...scope, "/no/such/file.jsonl"], "not_found");
  assert.equal((await listAll(home)).length, before);
});

test("exactly 64 KiB of text is accepted", async () => {
  const id = await add(home, "x".repeat(64 * 1024));
  assert.equal((await memory(home, "get", id)).content.length, 64 * 1024);
});

test("an unknown command exits with 2, a failed one with 1, a successful one with 0", async () => {
  for (const args of [
    ["memory", "frobnicate"],
    ["--no-such-flag"],
    ["memory", "add"],
    ["memory", "add", "--scope", "galaxy", "x"],
  ]) {
    const result = await cli(home, ["--workspace", WORKSPACE, ...args]);
    assert.equal(result.code, 2, args.join(" "));
  }
  assert.equal((await cli(home, ["--workspace", WORKSPACE, "memory", "get", UNKNOWN])).code, 1);
  assert.equal((await cli(home, ["workspace", "list"])).code, 0);
});

test("a usage error with --json is one JSON object", async () => {
  const result = await cli(home, ["memory", "frobnicate", "--json"]);
  assert.equal(result.code, 2);
  assert.match(errorOf(result).message, /frobnicate/);
});

test("search accepts any string", async () => {
  await add(home, 'A note with "quotes" and 100% (parens)');
  const strings = [
    '"',
    "'",
    "AND",
    "a OR",
    "NOT",
    "NEAR(a b)",
    "*",
    '%_*"()^:-',
    "a:b",
    "-x",
    "^x",
    "{}[]",
    "\\",
    "😀",
    "日本",
    "a\u202Eb",
    " ",
  ];
  for (const query of [...strings, "word ".repeat(2_000), "x".repeat(10_000)]) {
    const result = await tryMemory(home, ["search", "--", query]);
    assert.equal(result.code, 0, `${query.slice(0, 40)}: ${result.stderr.slice(0, 300)}`);
    assert.ok(Array.isArray(result.json.hits));
  }
  const found = await memory(home, "search", "100% (parens)");
  assert.match(found.hits[0].row.preview, /100% \(parens\)/);
});

test("search explains each hit, and the parts add up to its score", async () => {
  await add(home, "The drowned quarter is mapped in blue ink");
  const { hits } = await memory(home, "search", "map of the drowned quarter", "--explain");
  assert.ok(hits.length > 0);
  for (const { score, explanation } of hits) {
    const sum = explanation.contributions.reduce((total, part) => total + part.score, 0);
    assert.ok(Math.abs(sum - score) < 1e-6, `${sum} is not ${score}`);
  }
});

test("the four tiers are separate: account memories appear in every workspace, others do not", async () => {
  await ask(home, "workspace", "create", "Elsewhere");
  await memory(home, "add", "--scope", "account", "The author dislikes prophecies");
  await memory(home, "add", "--scope", "workspace", "Prophecies are taxed in Harrowgate");
  const there = await ask(home, "--workspace", "Elsewhere", "memory", "search", "prophecies");
  assert.deepEqual(
    there.hits.map((hit) => hit.row.preview),
    ["The author dislikes prophecies"],
  );
});

test("a channel's memories are found only in that channel", async () => {
  for (const channel of ["plots", "places"]) {
    await memory(home, "add", "--scope", "channel", "--channel", channel, `The weir appears in ${channel}`);
  }
  const { hits } = await memory(home, "search", "weir", "--scope", "channel", "--channel", "plots");
  assert.deepEqual(
    hits.map((hit) => hit.row.preview),
    ["The weir appears in plots"],
  );
});

test("workspace names that are unsafe on some system are refused with the reason", async () => {
  for (const name of [
    "../x",
    "CON",
    "a/b",
    "a\\b",
    "",
    " ",
    ".",
    "nul.txt",
    "a\u202Eb",
    "x".repeat(300),
    "trailing. ",
  ]) {
    const result = await cli(home, ["workspace", "create", name, "--json"]);
    assert.equal(result.code, 1, JSON.stringify(name));
    assert.equal(errorOf(result).code, "invalid", JSON.stringify(name));
  }
  const twin = await cli(home, ["workspace", "create", WORKSPACE.toUpperCase(), "--json"]);
  assert.equal(errorOf(twin).code, "already_exists");
});

test("a deleted workspace is not listed, and a purged one is not on the disk", async () => {
  const { execFileSync } = await import("node:child_process");
  await ask(home, "workspace", "create", "Shortlived");
  await ask(
    home,
    "--workspace",
    "Shortlived",
    "memory",
    "add",
    "--scope",
    "workspace",
    "zanzibarquux was here",
  );
  await ask(home, "workspace", "delete", "Shortlived", "--purge");
  const names = (await ask(home, "workspace", "list")).map((workspace) => workspace.name);
  assert.ok(!names.includes("Shortlived"));
  const left = execFileSync("sh", ["-c", `grep -rlai zanzibarquux "${home.data}" || true`], {
    encoding: "utf8",
  });
  assert.equal(left, "");
});

test("no memory text in errors or logs", async () => {
  const { execFileSync } = await import("node:child_process");
  await tryMemory(home, ["add", "--scope", "workspace", "--importance", "7", "secretplumage in the attic"]);
  const id = await add(home, "secretplumage is written here");
  const stale = await tryMemory(home, ["edit", id, "--content", "y", "--version", "9"]);
  assert.doesNotMatch(errorOf(stale).message, /secretplumage/);
  const hits = execFileSync(
    "sh",
    ["-c", `grep -rlai secretplumage "${home.path}" --include='*.log*' || true`],
    { encoding: "utf8" },
  );
  assert.equal(hits, "");
});

test("doctor finds no fault in a healthy store", async () => {
  const { code, report, trouble } = await doctor(home);
  assert.equal(code, 0, report + trouble);
});
