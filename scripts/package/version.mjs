#!/usr/bin/env node
// Prints the version of this release. Fails if a manifest names another one, or the tag does.
//   version.mjs [TAG]
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const read = (name) => readFileSync(join(root, name), "utf8");
const versions = {
  "Cargo.toml": /\[workspace\.package\]\s+version = "([^"]+)"/.exec(read("Cargo.toml"))?.[1],
  "package.json": JSON.parse(read("package.json")).version,
  "src-tauri/tauri.conf.json": JSON.parse(read("src-tauri/tauri.conf.json")).version,
};
const tag = process.argv[2];
if (tag !== undefined) versions["the tag"] = tag.replace(/^v/, "");
const [version] = Object.values(versions);
const others = Object.entries(versions).filter(([, named]) => named !== version);
if (others.length > 0) {
  console.error(`Cargo.toml has version ${version}, but ${others.map(([of, it]) => `${of} has ${it}`).join(" and ")}.`);
  process.exit(1);
}
console.log(version);
