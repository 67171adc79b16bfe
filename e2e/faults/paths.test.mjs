// What is no file of ours at a path where one should be: a pipe, a socket, a link, a folder, nothing, rubbish. No command
// waits for it, follows it or writes over it; a database that is affected is found by doctor and offered a backup.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { ask, cli } from "../lib/app.mjs";
import { doctor, memory, tryMemory, WORKSPACE } from "../lib/store.mjs";
import { codeOf, makeTally } from "./lib/invariant.mjs";
import { bySize, choose, inTurns, numbers, SEED, SIZE } from "./lib/random.mjs";
import { ELSEWHERE, freshCopy, makeWorld } from "./lib/verbs.mjs";

/** Nothing here takes long; what takes this long waits for ever. */
const PATIENCE = 90_000;
const ABREAST = 2;
const RUBBISH = Buffer.from("These are my holiday notes, not a file of yours.\n".repeat(40));

let world;
let ids;
before(async () => {
  world = await makeWorld();
  const listed = await ask(world.home, "workspace", "list");
  ids = Object.fromEntries(listed.map(({ id, name }) => [name, id]));
});
after(() => world.home.remove());

const folderOf = (name) => join("workspaces", ids[name]);

/** Each path of a data folder, and what it is: a database, a lock, or something that is read. */
const places = () => [
  ["database", "agents.db"],
  ["database", join(folderOf(WORKSPACE), "agents.db")],
  ["database", join(folderOf(WORKSPACE), "inklings.db")],
  ["log", "agents.db-wal"],
  ["log", join(folderOf(WORKSPACE), "agents.db-wal")],
  ["folder", folderOf(WORKSPACE)],
  ["lock", ".lock"],
  ["lock", join("backups", ".lock")],
  ["read", join("backups", "sets", world.ids.backup, "manifest.json")],
  ["read", join("backups", "sets", world.ids.backup, "agents.db")],
  ["read", join("backups", "sets", world.ids.backup, "check.json")],
  ["read", join(".restore", "plan.json")],
  ["read", join(".import", "0190cccc-0000-7000-8000-000000000001.jsonl")],
  ["read", "scrub.key"],
];

/** Where something is that was put at a path: there, or among what was set aside. */
const found = (home, path) => {
  const isThere = (at) => lstatSync(at, { throwIfNoEntry: false }) !== undefined;
  const quarantine = join(home.data, "quarantine");
  const kept = existsSync(quarantine) ? readdirSync(quarantine) : [];
  return [path, ...kept.map((name) => join(quarantine, name, basename(path)))].find(isThere);
};

/** What is put there. Each answers with a check that it is still as it was. */
const KINDS = {
  pipe: (path, _, home) => {
    execFileSync("mkfifo", [path]);
    return () => {
      const kept = found(home, path);
      assert.ok(kept !== undefined && lstatSync(kept).isFIFO(), "the pipe is gone");
    };
  },
  socket: async (path, t) => {
    const server = createServer();
    // The path of a socket has no room for that of a home.
    const short = join(
      "/tmp",
      `s${process.pid}${basename(dirname(path)).slice(-6)}${Math.random().toString(36).slice(2, 8)}`,
    );
    await new Promise((resolve) => server.listen(short, resolve));
    t.after(() => server.close());
    renameSync(short, path);
  },
  link: (path, _, home) => {
    const outside = join(home.path, `outside-${basename(path)}`);
    if (existsSync(`${path}.was`)) cpSync(`${path}.was`, outside, { recursive: true });
    else writeFileSync(outside, RUBBISH);
    symlinkSync(outside, path);
    const bytes = lstatSync(outside).isDirectory()
      ? readdirSync(outside).map((name) => readFileSync(join(outside, name)).toString("latin1"))
      : [readFileSync(outside).toString("latin1")];
    return () => {
      const now = lstatSync(outside).isDirectory()
        ? readdirSync(outside).map((name) => readFileSync(join(outside, name)).toString("latin1"))
        : [readFileSync(outside).toString("latin1")];
      assert.deepEqual(now, bytes, "what a link leads to was touched");
    };
  },
  folder: (path) => {
    mkdirSync(path);
  },
  rubbish: (path) => {
    writeFileSync(path, RUBBISH);
    // Rubbish in the place of a log or a lock says nothing and may go.
  },
};
const KINDS_OF = {
  database: ["pipe", "socket", "link", "folder", "rubbish"],
  log: ["pipe", "link", "folder"],
  folder: ["pipe", "link", "rubbish"],
  lock: ["pipe", "socket", "folder"],
  read: ["pipe", "socket", "link", "folder", "rubbish"],
};

const COMMANDS = [
  ["--workspace", WORKSPACE, "memory", "list"],
  ["--workspace", WORKSPACE, "memory", "add", "--scope", "workspace", "Written beside it."],
  ["--workspace", ELSEWHERE, "memory", "list"],
  ["backup", "list"],
  ["backup", "damaged"],
  ["backup", "check"],
  ["backup", "now"],
  ["doctor"],
];

test("no command blocks on, follows or overwrites a file that is not ours, and a damaged database is found", async (t) => {
  const tally = makeTally();
  const all = places().flatMap(([what, path]) => KINDS_OF[what].map((kind) => ({ what, path, kind })));
  const chosen = choose(numbers("paths"), all.length, bySize(4, all.length, all.length)).map(
    (n) => all[n - 1],
  );
  const wrong = [];
  await inTurns(chosen, ABREAST, async ({ what, path, kind }) => {
    const home = freshCopy(world);
    const full = join(home.data, path);
    const where = `SEED=${SEED}: a ${kind} in the place of ${path}`;
    try {
      mkdirSync(dirname(full), { recursive: true });
      if (existsSync(full)) renameSync(full, `${full}.was`);
      const isAsItWas = await KINDS[kind](full, t, home);
      rmSync(`${full}.was`, { recursive: true, force: true });
      for (const words of COMMANDS) {
        const args = words.at(-1) === "check" ? [...words, world.ids.backup] : words;
        const result = await cli(home, ["--json", ...args], { timeout: PATIENCE });
        tally.counts.tried++;
        const label = `${where}: ${args.join(" ").slice(0, 60)}`;
        assert.ok(result.signal === null, `${label}: it waits`);
        assert.notEqual(result.code, 101, `${label}: it panicked: ${result.stderr}`);
        if (result.code === 0) tally.counts.acknowledged++;
        else tally.refused(codeOf(result));
      }
      isAsItWas?.();
      if (what === "database" || what === "folder") {
        const { code, report } = await doctor(home);
        assert.equal(code, 1, `${where}: doctor finds nothing: ${report}`);
        tally.counts.findings++;
      }
      if (what === "database") {
        const damaged = await ask(home, "backup", "damaged");
        assert.ok(
          damaged.some(({ file }) => join(file) === path),
          `${where}: damage is not found: ${JSON.stringify(damaged)}`,
        );
      }
      tally.counts.met++;
    } catch (error) {
      wrong.push(error.message);
    } finally {
      await home.remove();
    }
  });
  tally.say(t, "paths with something else there");
  assert.ok(wrong.length === 0, wrong.join("\n\n"));
});

const dropLogs = (file) => {
  for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
};

test("swapped or copied workspace files are detected, and nothing is written into them", async () => {
  for (const name of ["agents.db", "inklings.db"]) {
    for (const how of SIZE === "sample" ? ["copied"] : ["copied", "swapped"]) {
      const home = freshCopy(world);
      const [one, other] = [WORKSPACE, ELSEWHERE].map((workspace) =>
        join(home.data, folderOf(workspace), name),
      );
      for (const file of [one, other]) dropLogs(file);
      if (how === "swapped") {
        renameSync(one, `${one}.was`);
        renameSync(other, one);
        renameSync(`${one}.was`, other);
      } else copyFileSync(other, one);
      const bytes = readFileSync(one);
      const { code, report } = await doctor(home);
      assert.equal(code, 1, `${name} ${how}: doctor finds nothing: ${report}`);
      const damaged = await ask(home, "backup", "damaged");
      assert.ok(
        damaged.some(({ file }) => join(home.data, file) === one),
        `${name} ${how}: ${JSON.stringify(damaged)}`,
      );
      const refused = await tryMemory(home, ["add", "--scope", "workspace", "No."]);
      assert.equal(refused.code, 1, `${name} ${how}: it was written into`);
      assert.deepEqual(readFileSync(one), bytes, `${name} ${how}`);
      await ask(home, "backup", "restore", world.ids.backup);
      assert.equal((await doctor(home)).code, 0, `${name} ${how}: a restore does not mend it`);
      await home.remove();
    }
  }
});

test("an unreadable restore plan blocks nothing, and is kept", async () => {
  const home = freshCopy(world);
  mkdirSync(join(home.data, ".restore"));
  writeFileSync(join(home.data, ".restore", "plan.json"), RUBBISH);
  await memory(home, "add", "--scope", "workspace", "Written beside it.");
  assert.equal(existsSync(join(home.data, ".restore")), false);
  const kept = readdirSync(join(home.data, "quarantine"));
  assert.equal(kept.length, 1);
  assert.deepEqual(readFileSync(join(home.data, "quarantine", kept[0], "plan.json")), RUBBISH);
  const { code, report } = await doctor(home);
  assert.equal(code, 0, report);
  assert.match(report, /restore_plan/, "doctor does not tell of it");
  await ask(home, "backup", "purge", kept[0]);
  assert.equal(existsSync(join(home.data, "quarantine", kept[0])), false);
  await home.remove();
});
