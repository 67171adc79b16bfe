// Starts the programs with the library that counts, kills, fails and tears what they do to files.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../../lib/app.mjs";

const here = dirname(fileURLToPath(import.meta.url));

/** What happens at the chosen operation; the same numbers stand in faults.c. */
export const MODES = { kill: 1, full: 2, broken: 3, tear: 4 };

/** Builds the library, unless this source was built already. */
export function buildLibrary() {
  const source = join(here, "faults.c");
  const sum = createHash("sha256").update(readFileSync(source)).digest("hex").slice(0, 16);
  const folder = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "faults");
  const library = join(folder, `faults-${sum}.so`);
  if (existsSync(library)) return library;
  mkdirSync(folder, { recursive: true });
  const part = `${library}.${process.pid}`;
  const flags = [
    "-shared",
    "-fPIC",
    "-O1",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-o",
    part,
    source,
    "-ldl",
    "-lpthread",
  ];
  execFileSync(process.env.CC ?? "cc", flags, { stdio: "inherit" });
  renameSync(part, library);
  return library;
}

const SIZE = 112;

/**
 * The faults of one home: `env` is for whoever is started with them, `arm` chooses the operation, `look` tells how far it
 * came. Counts from the start of the first process.
 */
export function faultsOf(home, { below = home.data, log } = {}) {
  const path = join(home.path, `control-${below === home.data ? "data" : "files"}`);
  writeFileSync(path, Buffer.alloc(SIZE));
  mkdirSync(below, { recursive: true });
  const put = (offset, bytes) => {
    const file = openSync(path, "r+");
    writeSync(file, bytes, 0, bytes.length, offset);
    closeSync(file);
  };
  const look = () => {
    const bytes = Buffer.alloc(SIZE);
    const file = openSync(path, "r");
    readSync(file, bytes, 0, SIZE, 0);
    closeSync(file);
    const name = bytes.subarray(48, 112);
    return {
      count: Number(bytes.readBigUInt64LE(0)),
      hits: Number(bytes.readBigUInt64LE(24)),
      hit: name.toString("utf8", 0, Math.max(name.indexOf(0), 0)),
    };
  };
  const arm = (at, mode, { persistent = false } = {}) => {
    const bytes = Buffer.alloc(24);
    bytes.writeUInt32LE(MODES[mode] ?? 0, 8);
    bytes.writeUInt32LE(persistent ? 1 : 0, 12);
    put(16, bytes.subarray(8, 24)); // the kind, and no hits so far
    const which = Buffer.alloc(8);
    which.writeBigUInt64LE(BigInt(at));
    put(8, which);
  };
  const disarm = () => put(8, Buffer.alloc(8));
  const moveClock = (seconds) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(seconds));
    put(32, bytes);
  };
  const env = {
    LD_PRELOAD: buildLibrary(),
    INKLINGS_FAULTS_ROOT: realpathSync(below),
    INKLINGS_FAULTS_CONTROL: path,
    ...(log ? { INKLINGS_FAULTS_LOG: log } : {}),
  };
  return { env, arm, disarm, look, moveClock };
}
