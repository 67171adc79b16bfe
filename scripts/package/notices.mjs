#!/usr/bin/env node
// Prints the licences of everything that is built into the programs, with their texts: the crates that Cargo links for this
// system, the npm packages of the page, the model and ONNX Runtime. Fails if a crate or package names no licence.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const shells = ["inklings-cli", "inklings-desktop"];

const run = (program, ...args) =>
  execFileSync(program, args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });

/** The licence texts in a folder: what is called so, in any spelling. */
function textsIn(folder) {
  const named = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => /^(licen[cs]e|copying|notice|unlicense|copyright|ofl)/i.test(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return named.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return readdirSync(path).sort().map((name) => readFileSync(join(path, name), "utf8"));
    return entry.isFile() ? [readFileSync(path, "utf8")] : [];
  });
}

/** The crates that the shells link on this system, without those that only build or test. */
export function crates(metadata) {
  const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]));
  const packages = new Map(metadata.packages.map((crate) => [crate.id, crate]));
  const waiting = metadata.packages.filter((crate) => shells.includes(crate.name)).map((crate) => crate.id);
  const linked = new Set();
  while (waiting.length > 0) {
    const id = waiting.pop();
    if (linked.has(id)) continue;
    linked.add(id);
    for (const { pkg, dep_kinds } of nodes.get(id).deps)
      if (dep_kinds.some(({ kind }) => kind === null)) waiting.push(pkg);
  }
  return [...linked].map((id) => packages.get(id)).filter((crate) => crate.source !== null);
}

/** The npm packages that the page imports, with what those import. */
export function modules(lock) {
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path !== "" && !entry.dev && !entry.devOptional && !entry.optional && !entry.link)
    .map(([path, entry]) => ({ path, name: path.replace(/^.*node_modules\//, ""), ...entry }));
}

function part({ name, version, license, source, texts }) {
  if (!license && texts.length === 0) throw new Error(`${name} ${version} names no licence`);
  const head = `${name} ${version}\nLicence: ${license ?? "see the text"}`;
  return { head: source ? `${head}\n${source}` : head, texts: texts.map((text) => text.replace(/\r\n/g, "\n").trim()) };
}

function collect() {
  const host = /^host: (.*)$/m.exec(run("rustc", "-vV"))[1];
  const metadata = JSON.parse(run("cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", host));
  const parts = crates(metadata).map((crate) =>
    part({
      name: crate.name,
      version: crate.version,
      license: crate.license,
      source: crate.repository,
      texts: textsIn(dirname(crate.manifest_path)),
    }),
  );
  for (const module of modules(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")))) {
    const folder = join(root, module.path);
    if (!existsSync(folder)) continue; // made for another system
    const { license, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    parts.push(part({ name: `${module.name} (npm)`, version, license, texts: textsIn(folder) }));
  }
  const read = (path) => readFileSync(join(root, path), "utf8");
  const runtime = ".cache/runtime-notices";
  parts.push(
    part({
      name: "ONNX Runtime",
      version: read(`${runtime}/version`).trim(),
      license: "MIT",
      texts: [read(`${runtime}/LICENSE`), read(`${runtime}/ThirdPartyNotices.txt`)],
    }),
    part({ name: "all-MiniLM-L6-v2", version: "(model)", license: "Apache-2.0", texts: [read("LICENSE-APACHE")] }),
  );
  return parts.sort((a, b) => (a.head.toLowerCase() < b.head.toLowerCase() ? -1 : 1));
}

/** One page: who is built in, then each text once, with the names that it is the text of. */
export function page(parts) {
  const texts = new Map();
  for (const { head, texts: own } of parts)
    for (const text of own) texts.set(text, [...(texts.get(text) ?? []), head.split("\n")[0]]);
  const rule = "=".repeat(100);
  return [
    "Inklings contains the following works of others. Their licences follow the list.",
    ...parts.map(({ head }) => head),
    ...[...texts].map(([text, names]) => `${rule}\n${[...new Set(names)].join("\n")}\n${"-".repeat(100)}\n${text}`),
    "",
  ].join("\n\n");
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const parts = collect();
  process.stdout.write(page(parts));
  const without = parts.filter(({ texts }) => texts.length === 0).map(({ head }) => head.split("\n")[0]);
  process.stderr.write(`${parts.length} works; without a text of their own: ${without.join(", ") || "none"}\n`);
}
