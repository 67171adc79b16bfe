// Who may see and change what: every read and write has its place in a matrix, and agents have one way to entries by id.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const application = "crates/application/src";
const sources = execFileSync(
  "git",
  [
    "ls-files",
    "--cached",
    "--others",
    "--exclude-standard",
    "-z",
    "crates/application/src",
    "crates/mcp/src",
  ],
  { cwd: root, encoding: "utf8" },
)
  .split("\0")
  .filter((path) => path.endsWith(".rs") && !/\/(tests|testing)(\/|\.rs$)/.test(path));
const text = new Map();
for (const path of sources) {
  try {
    text.set(path, readFileSync(`${root}/${path}`, "utf8"));
  } catch {
    // Deleted in the work tree, not yet in the index.
  }
}
const under = (folder) => [...text].filter(([path]) => path.startsWith(folder));

// The public functions of the impl blocks of a type, with their parameters.
const functions = (code, type) => {
  const found = [];
  for (const [, body] of code.matchAll(
    new RegExp(`^impl(?:<[^>]*>)? ${type}(?:<[^>]*>)? \\{\\n([^]*?)^\\}`, "gm"),
  )) {
    for (const [, name, parameters] of body.matchAll(
      /^ {4}pub(?:\(crate\))? async fn (\w+)\s*\(([^)]*)\)/gm,
    )) {
      found.push({ name, parameters });
    }
  }
  return found;
};
const useCases = under(application).flatMap(([, code]) => functions(code, "Session"));

test("every use case that reads memory by a filter is in the matrix of reads and reaches", () => {
  const matrix = readFileSync(`${root}/crates/application/tests/it/memory/scope_filter.rs`, "utf8");
  const listed = matrix
    .match(/const READS[^=]*=\s*\[([^\]]*)\]/)[1]
    .match(/\w+/g)
    .sort();
  const reads = useCases
    .filter(
      ({ name, parameters }) => /\bMemoryFilter\b|: Search\b/.test(parameters) && !/^tests?_/.test(name),
    )
    .map(({ name }) => name)
    .sort();
  assert.ok(reads.length >= 5, "the use cases were not found");
  assert.deepEqual(listed, reads);
});

test("the World Agent and clients reach entries by id through AgentAccess alone", () => {
  const byId = useCases
    .filter(({ parameters }) => /\bMemoryId\b|\bProposalDraft\b|\bProposalId\b/.test(parameters))
    .map(({ name }) => name)
    // Counts a use of what was read already.
    .filter((name) => !name.startsWith("note_uses"));
  assert.ok(byId.includes("edit_memory") && byId.includes("propose"), "the use cases were not found");
  const call = new RegExp(`\\b(?:self|session)\\s*\\.\\s*(${[...new Set(byId)].join("|")})\\(`, "g");
  const wrong = [];
  for (const folder of [`${application}/conversation/turn/`, `${application}/client/session/`]) {
    for (const [path, code] of under(folder)) {
      for (const [, name] of code.matchAll(call)) wrong.push(`${path}: ${name}`);
    }
  }
  assert.deepEqual(wrong, []);
});
