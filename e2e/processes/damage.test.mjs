// What the command line says of databases that are missing, workspaces that cannot be opened, a full disk and scrubbed backups.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ask, cli, makeHome, tree } from "../lib/app.mjs";
import {
  add,
  doctor,
  errorOf,
  makeHomeFor,
  makeWorkspace,
  memory,
  tryMemory,
  WORKSPACE,
} from "../lib/store.mjs";

async function world(t, ...texts) {
  const home = await makeHomeFor(t);
  for (const text of texts) await add(home, text);
  const [{ id }] = await ask(home, "workspace", "list");
  return { home, id, account: join(home.data, "agents.db"), folder: join(home.data, "workspaces", id) };
}

const rewrite = (file, sql) => execFileSync("sqlite3", ["-bail", file, ".timeout 5000", sql]);

test("a missing or empty account database is damage, and its newest backup is offered", async (t) => {
  for (const strike of [(file) => rmSync(file), (file) => writeFileSync(file, "")]) {
    const { home, account } = await world(t, "kept");
    await memory(home, "add", "--scope", "account", "Tea without milk.");
    const backup = await ask(home, "backup", "now");
    strike(account);
    writeFileSync(`${account}-wal`, "the last words");
    const refused = await tryMemory(home, ["list"]);
    assert.equal(refused.code, 1);
    assert.equal(errorOf(refused).code, "corrupt", refused.stderr);
    assert.ok(errorOf(refused).message.includes(`inklings backup restore ${backup.id}`), refused.stderr);
    const { code, trouble } = await doctor(home);
    assert.equal(code, 1);
    assert.ok(trouble.includes(backup.id), trouble);
    await ask(home, "backup", "restore", backup.id);
    const { rows } = await memory(home, "list", "--scope", "account");
    assert.ok(rows.some((row) => row.preview === "Tea without milk."));
    const kept = readdirSync(join(home.data, "quarantine"), { recursive: true }).map(String);
    assert.ok(
      kept.some((name) => name.endsWith("agents.db-wal")),
      kept.join(),
    );
    assert.equal((await doctor(home)).code, 0);
  }
});

test("without a backup a new account is created only on request", async (t) => {
  const { home, account, id } = await world(t, "kept");
  rmSync(account);
  rmSync(join(home.data, "backups"), { recursive: true, force: true });
  const refused = await tryMemory(home, ["list"]);
  assert.ok(errorOf(refused).message.includes("inklings backup begin-anew"), refused.stderr);
  await ask(home, "backup", "begin-anew");
  assert.deepEqual(
    (await ask(home, "workspace", "list")).map((it) => it.id),
    [id],
  );
  const again = await cli(home, ["backup", "begin-anew", "--json"]);
  assert.equal(errorOf(again).code, "not_found", again.stderr);
});

test("a workspace with an invalid name is listed as damaged with its remedies, and the other one opens", async (t) => {
  const { home, account } = await world(t, "kept");
  const bad = await ask(home, "workspace", "create", "Bad");
  await ask(home, "backup", "now");
  rewrite(account, "UPDATE workspaces SET name = 'B\u202Ead' WHERE name = 'Bad'");
  assert.equal((await tryMemory(home, ["list"])).code, 0);
  const listed = (await ask(home, "workspace", "list")).find((it) => it.id === bad.id);
  assert.equal(listed.damaged.fault, "name");
  assert.deepEqual(listed.damaged.waysOut, ["rename", "restore", "set_aside", "doctor"]);
  const text = (await cli(home, ["workspace", "list"])).stdout;
  assert.ok(text.includes("DAMAGED") && text.includes(`inklings workspace rename ${bad.id}`), text);
  assert.ok(!text.includes("\u202E"));
  assert.equal((await doctor(home)).code, 1);
  await ask(home, "workspace", "rename", bad.id, "Mended");
  assert.equal((await doctor(home)).code, 0);
});

test("an interrupted deletion is finished, and verbs without --workspace work", async (t) => {
  const { home, id, folder } = await world(t, "kept");
  const other = await ask(home, "workspace", "create", "Other");
  await cli(home, ["memory", "list"]);
  mkdirSync(join(home.data, "trash"));
  renameSync(folder, join(home.data, "trash", `${id}-20260101T000000000Z`));
  const listed = await cli(home, ["memory", "list", "--json"]);
  assert.equal(listed.code, 0, listed.stderr);
  assert.deepEqual(
    (await ask(home, "workspace", "list")).map((it) => it.id),
    [other.id],
  );
  assert.equal((await doctor(home)).code, 0);
});

test("a damaged current workspace is not silently replaced by another one", async (t) => {
  const { home, folder } = await world(t, "kept");
  await ask(home, "workspace", "create", "Other");
  await cli(home, ["memory", "list"]);
  writeFileSync(join(folder, "agents.db"), "These are my holiday notes.");
  const refused = await cli(home, ["memory", "add", "--scope", "workspace", "meant for it", "--json"]);
  assert.equal(refused.code, 1);
  assert.ok(errorOf(refused).message.includes("inklings workspace list"), refused.stderr);
  assert.equal((await cli(home, ["--workspace", "Other", "memory", "list"])).code, 0);
});

/** Mounts a small disk in the place of the data folder; false, with the reason, where that is not possible. */
function smallDisk(t, home, megabytes) {
  mkdirSync(home.data, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", home.data], { stdio: "pipe" });
  } catch (error) {
    assert.ok(!process.env.CI, `no disk can be mounted: ${error.message}`);
    t.skip(`no disk can be mounted here: ${error.message}`);
    return false;
  }
  t.after(() => execFileSync("umount", ["-l", home.data]));
  return true;
}

function fillUp(file) {
  const fd = openSync(file, "w");
  for (const size of [65536, 4096, 1]) {
    try {
      for (;;) writeSync(fd, Buffer.alloc(size, 7));
    } catch {
      // Full.
    }
  }
  closeSync(fd);
}

test("on a full disk a new process lists, searches and exports, and doctor does not report damage", async (t) => {
  const home = makeHome();
  const mounted = smallDisk(t, home, 8);
  // After the disk is taken away: its folder could not be removed before.
  t.after(home.remove);
  if (!mounted) return;
  await makeWorkspace(home);
  await add(home, "The sluice opens at noon");
  // Nothing is left beside the databases: whoever opens one would have to make that first.
  for (const file of tree(home.data).filter((path) => path.endsWith(".db")))
    rewrite(file, "PRAGMA wal_checkpoint(TRUNCATE)");
  fillUp(join(home.data, "filler"));
  const listed = await tryMemory(home, ["list"]);
  assert.equal(listed.code, 0, listed.stderr);
  assert.equal(listed.json.rows[0].preview, "The sluice opens at noon");
  const found = await tryMemory(home, ["search", "sluice"]);
  assert.equal(found.code, 0, found.stderr);
  assert.equal(found.json.hits.length, 1);
  const out = join(home.path, "out.json");
  const exported = await cli(home, ["--workspace", WORKSPACE, "export", out, "--json"]);
  assert.equal(exported.code, 0, exported.stderr);
  assert.ok(existsSync(out));
  const { code, trouble } = await doctor(home);
  assert.equal(code, 0, trouble);
  const refused = await tryMemory(home, ["add", "--scope", "workspace", "x".repeat(60_000)]);
  assert.ok(["read_only", "disk_full"].includes(errorOf(refused).code), refused.stderr);
  rmSync(join(home.data, "filler"));
  await add(home, "written again");
});

test("a backup from before a scrub is marked, and is restored only with --scrub-first or --with-scrubbed", async (t) => {
  const { home, folder } = await world(t, "to be scrubbed");
  const { id } = await ask(home, "backup", "now");
  const scrub = ["--workspace", WORKSPACE, "scrub", "workspace", "--mode", "full"];
  const { hash, phrase, leftovers } = await ask(home, ...scrub);
  assert.deepEqual(leftovers, []);
  await ask(home, ...scrub, "--execute", hash, "--phrase", phrase);
  const { rows } = await ask(home, "backup", "list");
  assert.equal(rows.find((row) => row.id === id).scrubsSince, 1);
  assert.ok((await cli(home, ["backup", "list"])).stdout.includes("1 scrub"));
  const refused = await cli(home, ["backup", "restore", id, "--json"]);
  assert.equal(errorOf(refused).code, "invalid", refused.stderr);
  assert.ok(errorOf(refused).message.includes("--with-scrubbed"), refused.stderr);
  assert.ok(errorOf(refused).message.includes("--scrub-first"), refused.stderr);
  assert.equal((await memory(home, "list")).rows.length, 0);
  const scrubbed = await cli(home, ["backup", "restore", id, "--scrub-first"]);
  assert.match(scrubbed.stdout, /is back\. What was there before is in/);
  assert.doesNotMatch(scrubbed.stdout, /destroyed/);
  assert.equal((await memory(home, "list")).rows.length, 0);
  assert.ok(
    !readFileSync(join(folder, "agents.db")).includes("to be scrubbed"),
    "nothing of it is in the file",
  );
  const back = await cli(home, ["backup", "restore", id, "--with-scrubbed"]);
  assert.match(back.stdout, /What a scrub destroyed is back, too: `audit list`/);
  assert.equal((await memory(home, "list")).rows.length, 1);
});

test("leftovers of a killed backup and a killed export are removed at the next start", async (t) => {
  const { home } = await world(t, "kept");
  await ask(home, "backup", "now");
  const left = join(home.data, "backups", "sets", ".new-20260101T000000000Z-asked");
  mkdirSync(left);
  const hidden = join(home.path, ".out.json.999999.new");
  writeFileSync(hidden, "half an export");
  mkdirSync(join(home.data, ".exporting"));
  writeFileSync(join(home.data, ".exporting", "999999-0"), JSON.stringify(hidden));
  await memory(home, "list");
  assert.ok(!existsSync(left) && !existsSync(hidden));
});
