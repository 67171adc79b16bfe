// What happens to the data when files, folders or neighbours misbehave.
import assert from "node:assert/strict";
import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { test } from "node:test";
import { ask, cli, makeHome, makeReadOnly, tree } from "../lib/app.mjs";
import { addClient, overStdio } from "../lib/mcp.mjs";
import { add, doctor, errorOf, listAll, makeHomeFor, memory, tryMemory } from "../lib/store.mjs";

async function world(t, ...texts) {
  const home = await makeHomeFor(t);
  for (const text of texts) await add(home, text);
  const [{ id }] = await ask(home, "workspace", "list");
  const files = tree(home.data).filter((path) => path.endsWith("agents.db"));
  return {
    home,
    workspace: files.find((path) => path.includes(id)),
    account: files.find((path) => !path.includes(id)),
  };
}

const dropLogs = (file) => {
  for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
};

test("a file that is no database is refused as damaged and never overwritten", async (t) => {
  for (const which of ["workspace", "account"]) {
    const { home, ...files } = await world(t, "kept");
    const file = files[which];
    dropLogs(file);
    const junk = Buffer.from("These are my holiday notes, not a database.\n".repeat(200));
    writeFileSync(file, junk);
    const result = await tryMemory(home, ["list"]);
    assert.equal(result.code, 1, which);
    assert.equal(errorOf(result).code, "corrupt", `${which}: ${result.stderr}`);
    assert.equal((await doctor(home)).code, 1, which);
    assert.deepEqual(readFileSync(file), junk, which);
  }
});

test("data written by a newer Inklings is refused and not changed", async (t) => {
  const { home, workspace } = await world(t, "from the future");
  dropLogs(workspace);
  const file = openSync(workspace, "r+");
  writeSync(file, Buffer.from([0, 1, 0, 0]), 0, 4, 60); // user_version in the header
  closeSync(file);
  const before = readFileSync(workspace);
  const result = await tryMemory(home, ["list"]);
  assert.equal(result.code, 1);
  assert.equal(errorOf(result).code, "newer_schema", result.stderr);
  assert.deepEqual(readFileSync(workspace), before);
});

test("a damaged page is found by doctor", async (t) => {
  const { home, workspace } = await world(
    t,
    ...Array.from({ length: 30 }, (_, n) => `memory ${n} ${"of many words ".repeat(60)}`),
  );
  const size = readFileSync(workspace).length;
  const file = openSync(workspace, "r+");
  for (let page = 4096 * 2; page < size; page += 4096) writeSync(file, Buffer.alloc(64, 0xa5), 0, 64, page);
  closeSync(file);
  const { code, report, trouble } = await doctor(home);
  assert.equal(code, 1, report + trouble);
});

test("a folder that cannot be written can be read, and a write gives the reason", async (t) => {
  const { home } = await world(t, "read me");
  const closed = makeReadOnly(home);
  const listed = await tryMemory(closed, ["list"]);
  assert.equal(listed.code, 0, listed.stderr);
  assert.equal(listed.json.rows[0].preview, "read me");
  const found = await tryMemory(closed, ["search", "read"]);
  assert.equal(found.code, 0, found.stderr);
  const refused = await tryMemory(closed, ["add", "--scope", "workspace", "x"]);
  assert.equal(refused.code, 1);
  assert.equal(errorOf(refused).code, "read_only", refused.stderr);
});

for (const index of ["with", "without"])
  test(`a log of a killed process is read ${index} its index in a folder that cannot be written`, async (t) => {
    const { home, workspace, account } = await world(t, "in the file");
    await addClient(home, "Killed", { allow: ["workspace:write"] });
    const client = await overStdio(home, "Killed");
    const gone = new Promise((resolve) => {
      client.onclose = resolve;
    });
    const note = { tier: "workspace", content: "in the log" };
    await client.callTool({ name: "memory_put", arguments: note });
    process.kill(client.transport.pid, "SIGKILL");
    await gone;
    assert.ok(statSync(`${workspace}-wal`).size > 0, "the log was written back");
    // A process that ends at once, or a program that copies a folder, may leave the log alone.
    if (index === "without") for (const file of [workspace, account]) rmSync(`${file}-shm`, { force: true });
    const closed = makeReadOnly(home);
    const texts = (await listAll(closed)).map((row) => row.preview);
    assert.deepEqual(texts.sort(), ["in the file", "in the log"]);
    assert.equal((await memory(closed, "search", "log")).hits.length, 1);
    const refused = await tryMemory(closed, ["add", "--scope", "workspace", "x"]);
    assert.equal(errorOf(refused).code, "read_only", refused.stderr);
  });

test("many processes write at once: every acknowledged write is there and none is refused as busy", async (t) => {
  const { home } = await world(t);
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let n = 0; n < 10; n++) await add(home, `writer ${writer} note ${n}`);
  });
  await Promise.all(writers);
  const texts = new Set((await listAll(home)).map((row) => row.preview));
  assert.equal(texts.size, 40);
  assert.equal((await doctor(home)).code, 0);
});

test("processes that open a new folder at the same moment all get a working store", async (t) => {
  const home = makeHome();
  t.after(home.remove);
  const results = await Promise.all(
    Array.from({ length: 6 }, (_, n) => cli(home, ["workspace", "create", `World ${n}`, "--json"])),
  );
  for (const result of results) assert.equal(result.code, 0, result.stderr);
  assert.equal((await ask(home, "workspace", "list")).length, 6);
  assert.equal((await doctor(home)).code, 0);
});

test("without a model everything except search by meaning works, and status reports it", async (t) => {
  const { home } = await world(t, "The sluice opens at noon");
  const bare = { ...home, env: { ...home.env, INKLINGS_RESOURCES: home.path } };
  const found = await memory(bare, "search", "sluice");
  assert.equal(found.mode, "text");
  assert.ok(found.modeReason);
  assert.equal(found.hits[0].row.preview, "The sluice opens at noon");
  await add(bare, "written without a model");
  const status = await ask(bare, "model", "status");
  assert.ok(["missing", "text_only", "failed"].includes(status.state), status.state);
});
