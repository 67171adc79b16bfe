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
// Every service of a session, and the method of the session that gives it.
const services = [...text.get(`${application}/services.rs`).matchAll(/^ {4}(\w+) = (\w+);$/gm)].map(
  ([, type, accessor]) => ({ type, accessor }),
);
const useCases = services.flatMap(({ type, accessor }) =>
  under(application).flatMap(([, code]) =>
    functions(code, type).map((found) => ({ ...found, service: accessor })),
  ),
);

// A search, its explanation and an orientation would else compare different texts.
test("every query is embedded in one place, without the names of speakers", () => {
  const callers = under(application).filter(([, code]) => code.includes(".embed_query("));
  assert.deepEqual(
    callers.map(([path]) => path),
    [`${application}/search/by_meaning.rs`],
  );
});

// A message with dialogue would else have to match word by word.
test("a use case reads the syntax of a query only where somebody typed a search", () => {
  const typed = /\bquery::parse\(|\bQueryText::Typed\b/;
  const callers = under(application).filter(([, code]) => typed.test(code));
  assert.deepEqual(
    callers.map(([path]) => path).sort(),
    ["search/for_agents.rs", "search/messages.rs", "vault/naming.rs"].map((file) => `${application}/${file}`),
  );
});

// A search would else show another order than its explanation, or leave out the comparison of words.
test("every order of a search is made in one place", () => {
  const callers = under(application).filter(([, code]) => /\bfuse(_words_first)?\(/.test(code));
  assert.deepEqual(
    callers.map(([path]) => path),
    [`${application}/search/order.rs`],
  );
});

test("the use cases of every service are found", () => {
  assert.ok(services.length >= 20, "the services were not found");
  const without = services.filter(({ accessor }) => !useCases.some(({ service }) => service === accessor));
  assert.deepEqual(without, []);
});

test("every use case that reads memory by a filter is in the matrix of reads and scope filters", () => {
  const matrix = readFileSync(`${root}/crates/application/tests/it/memory/scope_filter.rs`, "utf8");
  const lists = [...matrix.matchAll(/const READS\w*:[^=]*=\s*\[([^\]]*)\]/g)];
  const listed = lists.flatMap(([, names]) => names.match(/[\w.]+/g)).sort();
  const reads = useCases
    .filter(
      ({ name, parameters }) =>
        /\bMemoryFilter\b|\bScopeFilter\b|\bPageFilter\b|: Search\b|\bTimelineQuery\b/.test(parameters) &&
        !/^tests?_/.test(name),
    )
    .map(({ service, name }) => `${service}.${name}`)
    .sort();
  assert.ok(reads.length >= 10, "the use cases were not found");
  assert.deepEqual(listed, reads);
});

test("the World Agent and clients reach entries by id through AgentAccess alone", () => {
  const byId = useCases
    .filter(({ parameters }) => /\bMemoryId\b|\bProposalDraft\b|\bProposalId\b/.test(parameters))
    // Counts a use of what was read already.
    .filter(({ name }) => !name.startsWith("note_uses"));
  const names = byId.map(({ service, name }) => `${service}.${name}`);
  assert.ok(
    names.includes("memories.edit") && names.includes("proposals.propose"),
    "the use cases were not found",
  );
  const calls = byId.map(({ service, name }) => `${service}(?:\\(\\))?\\s*\\.\\s*${name}`);
  const call = new RegExp(`\\b(${[...new Set(calls)].join("|")})\\(`, "g");
  const wrong = [];
  for (const folder of [`${application}/turn/`, `${application}/client/session/`]) {
    const files = under(folder);
    assert.ok(files.length > 3, `${folder} has ${files.length} files`);
    for (const [path, code] of files) {
      for (const [, name] of code.matchAll(call)) wrong.push(`${path}: ${name}`);
    }
  }
  assert.deepEqual(wrong, []);
});
