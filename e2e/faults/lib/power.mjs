// Power cuts, after the fact: from the log of what a program did to its files, what a disk may hold if the power fails at a
// moment. What was not synced may be there, not be there, or be torn at a sector. Changes of names happen in their order,
// and last once a folder that they concern was synced: syncing a file does not make its name last.
import { lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tree } from "../../lib/app.mjs";

const KINDS = [null, "write", "truncate", "sync", "create", "mkdir", "rename", "unlink", "rmdir", "allocate"];
const HEAD = 48;
const SECTOR = 512;

/** The operations that the library wrote down, in order. */
export function readLog(path) {
  const bytes = readFileSync(path);
  const records = [];
  for (let at = 0; at + HEAD <= bytes.length; ) {
    const number = (offset) => Number(bytes.readBigUInt64LE(at + offset));
    const [kind, first, second] = [0, 4, 8].map((offset) => bytes.readUInt32LE(at + offset));
    const record = {
      kind: KINDS[kind],
      ino: number(16),
      offset: number(24),
      length: number(32),
      index: number(40),
    };
    at += HEAD;
    const take = (length) => {
      at += length;
      return bytes.subarray(at - length, at);
    };
    record.path = take(first).toString();
    record.to = take(second).toString();
    if (record.kind === "write") record.data = take(record.length);
    records.push(record);
  }
  return records;
}

/** What a folder holds before anything is done to it: all of it lasts. */
export function atRest(folder) {
  const disk = { names: new Map(), keys: new Map(), files: new Map() };
  for (const path of tree(folder)) {
    const about = lstatSync(path);
    if (about.isDirectory()) {
      disk.names.set(path, "folder");
    } else {
      disk.names.set(path, about.ino);
      disk.files.set(about.ino, readFileSync(path));
    }
  }
  return disk;
}

/** Does to the names what one operation did. */
function rename(names, { kind, path, to, key }) {
  if (kind === "create") names.set(path, key);
  else if (kind === "mkdir") names.set(path, "folder");
  else if (kind === "unlink" || kind === "rmdir") names.delete(path);
  else {
    const moved = [...names].filter(([name]) => name === path || name.startsWith(`${path}/`));
    for (const [name] of moved) names.delete(name);
    for (const [name, what] of moved) names.set(to + name.slice(path.length), what);
  }
}

function change(content, { kind, offset, length, data }, part) {
  if (kind === "truncate") {
    const cut = Buffer.alloc(length);
    content.copy(cut, 0, 0, Math.min(length, content.length));
    return cut;
  }
  const end = offset + (kind === "write" ? part : length);
  const grown = end > content.length ? Buffer.concat([content, Buffer.alloc(end - content.length)]) : content;
  if (kind === "write") data.copy(grown, offset, 0, part);
  return grown;
}

/**
 * What may be left of `disk` after the first `cut` operations: `names` and contents. `spare` is how much of what was
 * not synced stays: "none", "all", or "some", by chance.
 */
export function cutPower(disk, records, cut, spare, random) {
  const now = new Map(disk.names);
  const keys = new Map();
  const keyOf = (ino) => keys.get(ino) ?? ino;
  const changes = new Map();
  const synced = new Map();
  const renames = [];
  let durable = 0;
  let made = 0;
  for (const record of records.slice(0, cut)) {
    const { kind, path, ino } = record;
    if (kind === "sync") {
      if (now.get(path) === "folder") {
        const last = renames.findLastIndex(
          (done) => dirname(done.path) === path || (done.to && dirname(done.to) === path),
        );
        durable = Math.max(durable, last + 1);
      } else {
        synced.set(keyOf(ino), changes.get(keyOf(ino))?.length ?? 0);
      }
    } else if (["create", "mkdir", "rename", "unlink", "rmdir"].includes(kind)) {
      // The number of a file that is gone is given to another one.
      if (kind === "create") keys.set(ino, `made ${made++}`);
      const done = { ...record, key: keyOf(ino) };
      renames.push(done);
      rename(now, done);
    } else {
      const key = keyOf(ino);
      changes.set(key, [...(changes.get(key) ?? []), record]);
    }
  }
  const free = renames.length - durable;
  const kept = spare === "all" ? free : spare === "none" ? 0 : Math.floor(random() * (free + 1));
  const names = new Map(disk.names);
  for (const done of renames.slice(0, durable + kept)) rename(names, done);
  const files = new Map();
  for (const key of new Set(names.values())) {
    if (key === "folder") continue;
    let content = Buffer.from(disk.files.get(key) ?? Buffer.alloc(0));
    for (const [n, record] of (changes.get(key) ?? []).entries()) {
      const safe = n < (synced.get(key) ?? 0) || spare === "all";
      const chance = safe ? 1 : spare === "none" ? 0 : random();
      if (chance < 0.4) continue;
      const whole = chance >= 0.55 || record.kind !== "write";
      const part = whole ? record.length : Math.floor((random() * record.length) / SECTOR) * SECTOR;
      content = change(content, record, part);
    }
    files.set(key, content);
  }
  return { names, files };
}

/** Lays out in `to` what is left of `from`. The memory that processes share goes with the power. */
export function layOut({ names, files }, from, to) {
  for (const [path, key] of [...names].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const target = join(to, path.slice(from.length));
    if (key === "folder") mkdirSync(target, { recursive: true });
    else if (!path.endsWith("-shm")) {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, files.get(key));
    }
  }
}
