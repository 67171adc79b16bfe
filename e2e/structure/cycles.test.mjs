// Subjects of a crate do not import each other in a circle, through whatever files. A subject is the first folder or file below
// `src`.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const directories = (path) =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${path}/${entry.name}`);
const crates = [...directories("crates"), ...directories("crates/infrastructure"), "src-tauri"];

/** The Rust files below a folder, without tests and benchmarks. */
function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".rs"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/(^|\/)(tests?|testing|bench)(\/|\.rs)|_?tests\.rs$/.test(relative(folder, path)));
}

/** What a use tree names, each with its path as segments and the name it gets: `a::{b, c::d as e}` is `a::b` and `a::c::d`. */
function namedIn(tree, before = []) {
  const segments = (text) => text.split("::").flatMap((part) => part.trim().split(/\s/)[0] || []);
  const open = tree.indexOf("{");
  if (open < 0) {
    const path = [...before, ...segments(tree)];
    return [{ path, name: tree.match(/\sas\s+(\w+)/)?.[1] ?? path.at(-1) }];
  }
  const items = [""];
  let depth = 0;
  for (const letter of tree.slice(open + 1, tree.lastIndexOf("}"))) {
    if (letter === "," && depth === 0) items.push("");
    else items.push(items.pop() + letter);
    depth += { "{": 1, "}": -1 }[letter] ?? 0;
  }
  const head = [...before, ...segments(tree.slice(0, open))];
  return items.filter((item) => item.trim()).flatMap((item) => namedIn(item, head));
}

/** A path from the root of the crate; `null` for one into another crate. */
function absolute([first, ...rest], module) {
  if (first === "crate") return rest;
  if (first === "self") return [...module, ...rest];
  if (first !== "super") return null;
  return absolute(rest[0] === "super" ? rest : ["self", ...rest], module.slice(0, -1));
}

const codeOf = (text) => text.replaceAll(/\/\/.*$/gm, "").split(/#\[cfg\(test\)\]\s*mod tests? \{/)[0];

/** The names that the root of a crate gives to what lies in its modules, each with its path. */
function exportsOf(rootCode) {
  const uses = [...rootCode.matchAll(/\bpub(?:\([^)]*\))?\s+use\s+([^;]+);/g)];
  const named = uses.flatMap(([, tree]) => namedIn(tree));
  return new Map(named.map(({ path, name }) => [name, absolute(path, []) ?? path]));
}

/** The modules of a crate and the modules of the crate that each names. */
function importsIn(modules) {
  const imports = new Map();
  const exported = exportsOf(codeOf(modules.get("") ?? ""));
  for (const [name, text] of modules) {
    const code = codeOf(text);
    const uses = [...code.matchAll(/\buse\s+([^;]+);/g)].flatMap(([, tree]) => namedIn(tree));
    const inline = [...code.replaceAll(/\buse\s+[^;]+;/g, "").matchAll(/\b(?:crate|super)(?:::\w+)+/g)];
    const named = new Set();
    for (const path of [...uses.map(({ path }) => path), ...inline.map(([path]) => path.split("::"))]) {
      const from = absolute(path, name === "" ? [] : name.split("::"));
      const segments = exported.has(from?.[0]) ? [...exported.get(from[0]), ...from.slice(1)] : from;
      for (let length = segments?.length ?? 0; length > 0; length--) {
        const target = segments.slice(0, length).join("::");
        if (!modules.has(target)) continue;
        if (target !== name) named.add(target);
        break;
      }
    }
    imports.set(name, named);
  }
  return imports;
}

/** The groups of modules that reach each other (Tarjan), of more than one subject. */
function circlesIn(imports) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const circles = [];
  const visit = (module) => {
    index.set(module, index.size);
    low.set(module, index.get(module));
    stack.push(module);
    for (const next of imports.get(module)) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(module, Math.min(low.get(module), low.get(next)));
    }
    if (low.get(module) !== index.get(module)) return;
    const circle = stack.splice(stack.indexOf(module));
    if (new Set(circle.map((name) => name.split("::")[0])).size > 1) circles.push(circle.sort());
  };
  for (const module of imports.keys()) if (!index.has(module)) visit(module);
  return circles;
}

test("a circle between two subjects is found through nested uses and inline paths", () => {
  const modules = new Map([
    ["memory", "use crate::{error::{E, F}, search::{self, list}};"],
    ["memory::store", "use super::super::error::E; // crate::search"],
    ["search", "fn f() { crate::scrub::plan::make() }"],
    ["scrub", "pub mod plan;"],
    [
      "scrub::plan",
      "use super::Plan;\nuse crate::memory::Memory as M;\n#[cfg(test)]\nmod tests { use crate::error::E; }",
    ],
    ["error", "use std::fmt;"],
  ]);
  const imports = importsIn(modules);
  assert.deepEqual([...imports.get("memory")], ["error", "search"]);
  assert.deepEqual([...imports.get("memory::store")], ["error"]);
  assert.deepEqual([...imports.get("scrub::plan")], ["scrub", "memory"]);
  assert.deepEqual(circlesIn(imports), [["memory", "scrub::plan", "search"]]);
});

/** The subjects of a crate and the subjects that each names in any of its files. */
function subjectsIn(imports) {
  const subjects = new Map();
  const subjectOf = (module) => module.split("::")[0];
  for (const [module, named] of imports) {
    const others = [...named].map(subjectOf).filter((name) => name !== "" && name !== subjectOf(module));
    subjects.set(subjectOf(module), new Set([...(subjects.get(subjectOf(module)) ?? []), ...others]));
  }
  return subjects;
}

test("a circle between two subjects through different files is found", () => {
  const modules = new Map([
    ["memory", "pub mod list;"],
    ["memory::list", "use crate::search::query;"],
    ["search", "pub mod query;\nuse crate::memory::Entry;"],
    ["search::query", ""],
  ]);
  const imports = importsIn(modules);
  assert.deepEqual(circlesIn(imports), []);
  assert.deepEqual(circlesIn(subjectsIn(imports)), [["memory", "search"]]);
});

test("a circle through a name of the root is found", () => {
  const modules = new Map([
    ["", "pub mod memory;\nmod events;\npub use events::{Event as Happening, self::Topic};"],
    ["memory", "use crate::{Happening, memory::Entry};"],
    ["events", "use crate::memory::Entry;"],
  ]);
  assert.deepEqual(circlesIn(subjectsIn(importsIn(modules))), [["events", "memory"]]);
});

test("no subjects of a crate import each other in a circle", () => {
  const found = [];
  let files = 0;
  for (const crate of crates) {
    let paths;
    try {
      paths = filesIn(join(root, crate, "src"));
    } catch {
      continue; // A folder of crates has no `src` of its own.
    }
    const modules = new Map();
    for (const path of paths) {
      const name = relative(join(root, crate, "src"), path)
        .replace(/\.rs$/, "")
        .replace(/(^|\/)(mod|lib|main)$/, "");
      modules.set(name.replaceAll("/", "::"), readFileSync(path, "utf8"));
      files++;
    }
    for (const circle of circlesIn(subjectsIn(importsIn(modules))))
      found.push(`${crate}: ${circle.join(", ")}`);
  }
  assert.ok(files > 400, `${files} files`);
  assert.deepEqual(found, []);
});
