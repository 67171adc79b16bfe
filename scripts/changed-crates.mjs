// Reads changed paths, NUL-separated, on standard input, and prints the names of the crates that they belong to.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, relative } from "node:path";

const metadata = JSON.parse(
  execFileSync("cargo", ["metadata", "--format-version", "1", "--no-deps", "--offline"], { encoding: "utf8" }),
);
const folders = metadata.packages.map(({ name, manifest_path }) => ({
  name,
  folder: `${relative(metadata.workspace_root, dirname(manifest_path))}/`,
}));
// What a crate is compiled from outside its folder.
folders.push({ name: "inklings-sqlite", folder: "migrations/" });

const names = new Set();
const paths = readFileSync(0, "utf8").split("\0").filter(Boolean);
for (const path of paths) {
  if (path === "Cargo.toml" || path === "Cargo.lock") for (const { name } of folders) names.add(name);
  for (const { name, folder } of folders) if (path.startsWith(folder)) names.add(name);
}
console.log([...names].sort().join(" "));
