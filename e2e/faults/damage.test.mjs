// Damage inside files: overwritten pages, a text index that lost touch, rows and triggers by another hand. What is damaged is
// found, or harms nothing that anybody wrote.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, copyFileSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ask, cli } from "../lib/app.mjs";
import { emptyIndex } from "../lib/database.mjs";
import { doctor, memory, tryMemory, WORKSPACE } from "../lib/store.mjs";
import { makeTally } from "./lib/invariant.mjs";
import { bySize, choose, inTurns, numbers, SEED } from "./lib/random.mjs";
import { difference, standing } from "./lib/standing.mjs";
import { ELSEWHERE, freshCopy, makeWorld } from "./lib/verbs.mjs";

const PAGE = 4_096;
const ABREAST = 2;

let world;
let ids;
before(async () => {
  world = await makeWorld();
  const listed = await ask(world.home, "workspace", "list");
  ids = Object.fromEntries(listed.map(({ id, name }) => [name, id]));
});
after(() => world.home.remove());

const fileOf = (home, name = WORKSPACE) => join(home.data, "workspaces", ids[name], "agents.db");
const sql = (file, statement) =>
  execFileSync("sqlite3", ["-bail", file, ".timeout 5000", statement], { encoding: "utf8" });
/** Takes the log into the file, and closes it. */
const settle = (file) => {
  sql(file, "PRAGMA wal_checkpoint(TRUNCATE)");
  for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
};

/** Lines of what people and agents wrote: entries with their versions, and what was said. */
const written = (lines) =>
  lines.filter((line) => /agents\.db '(memories|memory_versions|messages)'/.test(line));

test("an overwritten page is found by doctor and reported as damage, or changes no text", async (t) => {
  const tally = makeTally();
  const base = freshCopy(world);
  t.after(base.remove);
  settle(fileOf(base));
  const pages = Math.floor(statSync(fileOf(base)).size / PAGE);
  const whole = standing(base);
  const random = numbers("pages");
  const wrong = [];
  await inTurns(choose(random, pages, bySize(4, 40, pages)), ABREAST, async (page) => {
    const home = freshCopy({ ...world, home: base });
    const file = fileOf(home);
    const handle = openSync(file, "r+");
    const at = (page - 1) * PAGE + Math.floor(random() * (PAGE - 64));
    const bytes = Buffer.alloc(64, 0xa5);
    writeSync(handle, bytes, 0, bytes.length, at);
    closeSync(handle);
    const where = `SEED=${SEED}: 64 bytes at ${at}, page ${page} of ${pages}`;
    tally.counts.tried++;
    try {
      const { code } = await doctor(home);
      const damaged = await ask(home, "backup", "damaged");
      if (code === 1) tally.counts.findings++;
      if (damaged.length > 0) tally.counts.met++;
      if (code === 0) {
        const found = difference(written(standing(home)), written(whole));
        if (found) tally.counts.lost++;
        assert.equal(found, "", `${where}: nobody noticed`);
      }
      const read = await tryMemory(home, ["list"]);
      assert.notEqual(read.code, 101, `${where}: it panicked`);
    } catch (error) {
      wrong.push(error.message);
    } finally {
      await home.remove();
    }
  });
  tally.say(t, "overwritten pages (met: offered a backup)");
  assert.ok(wrong.length === 0, wrong.join("\n\n"));
});

test("an inconsistent text index is found by doctor, and doctor --repair rebuilds it", async () => {
  const home = freshCopy(world);
  for (const index of ["memories_fts", "messages_fts"]) emptyIndex(fileOf(home), index);
  const before = await doctor(home);
  assert.equal(before.code, 1, before.report);
  const repaired = await ask(home, "doctor", "--repair");
  const anew = repaired.filter(({ result }) => result.includes("made anew"));
  assert.deepEqual(anew.map(({ check }) => check).sort(), ["full_text_index", "message_index"]);
  const { code, report } = await doctor(home);
  assert.equal(code, 0, report);
  const { hits } = await memory(home, "search", "stone of Veyra");
  assert.ok(hits.length > 0);
  await home.remove();
});

test("a file with an unknown trigger is not adopted, and doctor reports it", async () => {
  const home = freshCopy(world);
  const id = ids[ELSEWHERE];
  sql(join(home.data, "agents.db"), `DELETE FROM workspaces WHERE id = '${id}'`);
  sql(
    fileOf(home, ELSEWHERE),
    "CREATE TRIGGER sqlitexstat_watch AFTER INSERT ON memories BEGIN UPDATE memories SET importance = 0 WHERE seq = NEW.seq; END",
  );
  const listed = await ask(home, "workspace", "list");
  assert.deepEqual(
    listed.map(({ name, damaged }) => [name, damaged?.fault ?? null]),
    [
      [WORKSPACE, null],
      [id, "foreign_schema"],
    ],
  );
  assert.equal((await cli(home, ["--workspace", id, "memory", "list"])).code, 1, "it is not opened");
  const { code, report } = await doctor(home);
  assert.equal(code, 1, report);
  assert.ok(JSON.parse(report).some(({ check, ok }) => check === "schema" && !ok));
  sql(fileOf(home, ELSEWHERE), "DROP TRIGGER sqlitexstat_watch");
  assert.equal((await ask(home, "workspace", "list")).length, 2);
  await home.remove();
});

test("a truncated log, a zeroed header and a file of a newer release: nothing is overwritten", async () => {
  const home = freshCopy(world);
  const file = fileOf(home);
  settle(file);
  const kept = join(home.path, "kept.db");
  copyFileSync(file, kept);
  const put = (offset, bytes) => {
    const handle = openSync(file, "r+");
    writeSync(handle, bytes, 0, bytes.length, offset);
    closeSync(handle);
  };
  for (const [what, offset, bytes] of [
    ["zeroed header", 0, Buffer.alloc(100)],
    ["newer release", 60, Buffer.from([0, 1, 0, 0])],
    ["another program's", 68, Buffer.from("Else")],
  ]) {
    copyFileSync(kept, file);
    put(offset, bytes);
    const before = readFileSync(file);
    const refused = await tryMemory(home, ["add", "--scope", "workspace", "No."]);
    assert.equal(refused.code, 1, what);
    assert.equal((await doctor(home)).code, 1, what);
    assert.deepEqual(readFileSync(file), before, what);
    for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
  }
  copyFileSync(kept, file);
  const log = openSync(`${file}-wal`, "w");
  writeSync(log, Buffer.alloc(5_000, 0x37));
  closeSync(log);
  await memory(home, "add", "--scope", "workspace", "Behind a log of rubbish.");
  assert.equal((await doctor(home)).code, 0);
  await home.remove();
});
