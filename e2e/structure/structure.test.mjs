// What no compiler checks: which way dependencies point, how long files get, who may speak to the shell.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const run = (command, ...args) =>
  execFileSync(command, args, { cwd: root, encoding: "utf8", maxBuffer: 64 << 20 });

// What each crate may use of ours. A crate that is not here must be placed here first.
const allowed = {
  "inklings-domain": [],
  "inklings-ports": ["inklings-domain"],
  "inklings-application": ["inklings-domain", "inklings-ports"],
  "inklings-files": [],
  "inklings-sqlite": ["inklings-domain", "inklings-ports", "inklings-files"],
  "inklings-embedding": ["inklings-domain", "inklings-ports", "inklings-files"],
  "inklings-llm": ["inklings-ports", "inklings-files"],
  // Reads Markdown as the use cases do.
  "inklings-formats": ["inklings-domain", "inklings-ports", "inklings-application"],
  "inklings-onefile": ["inklings-domain"],
  "inklings-vault": ["inklings-domain", "inklings-ports", "inklings-files"],
  "inklings-api": [
    "inklings-domain",
    "inklings-ports",
    "inklings-application",
    "inklings-sqlite",
    "inklings-files",
    "inklings-embedding",
    "inklings-llm",
    "inklings-formats",
    "inklings-onefile",
    "inklings-vault",
  ],
  // Speaks of entries, grants and refusals in the domain's words, and has no adapter of its own behind a port.
  "inklings-mcp": ["inklings-domain", "inklings-ports", "inklings-application", "inklings-api"],
  // Starts the MCP server of a window.
  "inklings-commands": ["inklings-api", "inklings-mcp"],
  "inklings-cli": ["inklings-api", "inklings-mcp", "inklings-commands"],
  "inklings-desktop": ["inklings-api", "inklings-mcp", "inklings-commands"],
};
// What the inner crates must never see, however indirectly.
const outside =
  /^(sqlx|sqlx-.*|libsqlite3-sys|rusqlite|tauri|tauri-.*|wry|fastembed|ort|hf-hub|reqwest|hyper|ureq|keyring|clap|rmcp)$/;
const pure = new Set(["inklings-domain", "inklings-ports", "inklings-application"]);
// What tests of a crate may use besides: use cases are tested on the store and on the files of vaults, and the store by use cases.
const allowedInTests = {
  "inklings-application": ["inklings-sqlite", "inklings-vault"],
  "inklings-sqlite": ["inklings-application"],
};

const metadata = JSON.parse(run("cargo", "metadata", "--format-version", "1", "--locked"));
const byId = new Map(metadata.packages.map((pkg) => [pkg.id, pkg]));
const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]));
const ours = metadata.workspace_members.map((id) => byId.get(id));
const edges = (id, kinds) =>
  nodes
    .get(id)
    .deps.filter((dep) => dep.dep_kinds.some(({ kind }) => kinds.includes(kind)))
    .map((dep) => dep.pkg);

test("dependencies point inward: domain <- ports <- application and infrastructure <- api <- shells", () => {
  const wrong = [];
  for (const pkg of ours) {
    const may = allowed[pkg.name];
    if (!may) {
      wrong.push(`${pkg.name} has no place in the map of this test`);
      continue;
    }
    // Tests count too, except that a crate may use itself (its own `testing` feature).
    const built = edges(pkg.id, [null, "build"]);
    for (const id of edges(pkg.id, [null, "build", "dev"])) {
      const { name } = byId.get(id);
      if (allowedInTests[pkg.name]?.includes(name) && !built.includes(id)) continue;
      if (metadata.workspace_members.includes(id) && name !== pkg.name && !may.includes(name)) {
        wrong.push(`${pkg.name} -> ${name}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

test("domain, ports and application reach no database, no shell, no network and no model, not even indirectly", () => {
  const wrong = [];
  for (const pkg of ours.filter(({ name }) => pure.has(name))) {
    const seen = new Set();
    const walk = (id, path) => {
      if (seen.has(id)) return;
      seen.add(id);
      const { name } = byId.get(id);
      if (outside.test(name)) wrong.push([...path, name].join(" -> "));
      for (const next of edges(id, [null, "build"])) walk(next, [...path, name]);
    };
    walk(pkg.id, []);
  }
  assert.deepEqual(wrong, []);
});

test("domain has no async runtime and no serialisation, ports and application no async runtime", () => {
  const direct = (name) =>
    ours
      .find((pkg) => pkg.name === name)
      .dependencies.filter(({ kind }) => kind === null)
      .map((dep) => dep.name);
  const banned = {
    "inklings-domain": ["tokio", "serde", "specta", "futures"],
    "inklings-ports": ["tokio", "specta"],
    "inklings-application": ["tokio", "specta"],
  };
  for (const [name, list] of Object.entries(banned)) {
    assert.deepEqual(
      direct(name).filter((dep) => list.includes(dep)),
      [],
      name,
    );
  }
});

// Tracked and about to be: everything git does not ignore.
const files = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z")
  .split("\0")
  .filter(Boolean);
const read = (path) => {
  try {
    return readFileSync(`${root}/${path}`, "utf8");
  } catch {
    return ""; // deleted in the work tree, not yet in the index
  }
};
// Bindings and the pictures of the schemas are generated: nobody reads them from top to bottom.
const isGenerated = (path) => /\.gen\.ts$|\/sqlite\/schema\/\w+\.sql$/.test(path);
const isCode = (path) => /\.(rs|tsx?|css|sql|mjs|sh)$/.test(path) && !isGenerated(path);

test("no file is longer than 600 lines", () => {
  const long = files
    .filter(isCode)
    .map((path) => [path, read(path).split("\n").length - 1])
    .filter(([, lines]) => lines > 600);
  assert.deepEqual(long, []);
});

const imports = (path) =>
  [...read(path).matchAll(/(?:from\s+|import\s*\(\s*|import\s+|vi\.mock\(\s*)["']([^"']+)["']/g)].map(
    (match) => match[1],
  );
const uiFiles = files.filter((path) => /^ui\/src\/.*\.tsx?$/.test(path));

test("only ui/src/ipc speaks to the shell: @tauri-apps is imported nowhere else", () => {
  const wrong = uiFiles
    .filter((path) => !path.startsWith("ui/src/ipc/") && !path.startsWith("ui/src/testing/"))
    .filter((path) => imports(path).some((name) => name.startsWith("@tauri-apps/")));
  assert.deepEqual(wrong, []);
});

// `../x`, `./x` and the `@/x` alias, as a path inside the repository.
const resolve = (path, name) => {
  if (name.startsWith("@/")) return `ui/src/${name.slice(2)}`;
  if (!name.startsWith(".")) return null;
  return relative(root, fileURLToPath(new URL(name, `file://${root}/${path}`)));
};
const featureOf = (path) => path?.match(/^ui\/src\/features\/([^/]+)/)?.[1];

test("features of the page do not import one another, and nothing shared imports a feature or the app", () => {
  const wrong = [];
  for (const path of uiFiles) {
    const own = featureOf(path);
    const shared =
      !own &&
      !path.startsWith("ui/src/app/") &&
      /^ui\/src\/[^/]+\//.test(path) &&
      !path.startsWith("ui/src/testing/");
    for (const name of imports(path)) {
      const to = resolve(path, name);
      if (!to) continue;
      const other = featureOf(to);
      if (
        (own && other && other !== own) ||
        (shared && other) ||
        ((own || shared) && to.startsWith("ui/src/app/"))
      ) {
        wrong.push(`${path} -> ${to}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

// Files that open other paths than those of a data folder, and why they may open them themselves.
const opensElsewhere = {
  "crates/infrastructure/files/": "it is the one place",
  "crates/infrastructure/formats/": "reads and writes what the worldbuilder names, anywhere on the disk",
  "crates/infrastructure/onefile/": "its file lies where the worldbuilder names it, and may be a link",
  "crates/api/src/transfer/mod.rs": "an export lies where the worldbuilder names it",
  "crates/api/src/transfer/third_party/": "an import lies where the worldbuilder names it",
  "crates/api/src/bench/": "measures the process",
};
const opening =
  /\bFile::(open|create|create_new|options)\(|\bfs::(read|read_to_string|write|copy)\(|OpenOptions::new\(\)(\s*\.\w+\([^)]*\))*\s*\.open\(|\boptions\.open\(/;

test("paths of a data folder are opened by inklings-files alone, and databases by connection.rs alone", () => {
  const wrong = [];
  for (const path of files) {
    if (!/^crates\/(infrastructure\/[^/]+|api)\/src\/.*\.rs$/.test(path)) continue;
    if (/\/testing\/|tests?(\/|\.rs$)/.test(path)) continue;
    const code = read(path)
      .split(/^#\[cfg\((all\()?test/m)[0]
      .replaceAll(/^\s*\/\/.*$/gm, "");
    if (opening.test(code) && !Object.keys(opensElsewhere).some((start) => path.startsWith(start))) {
      wrong.push(`${path}: ${code.match(opening)[0]}`);
    }
    if (/\bSqliteConnectOptions::new\(/.test(code) && !path.endsWith("/sqlite/src/connection/mod.rs")) {
      wrong.push(`${path}: SqliteConnectOptions::new`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("no list is paged by OFFSET", () => {
  const wrong = files
    .filter((path) => /^(crates|src-tauri|migrations)\/.*\.(rs|sql)$/.test(path))
    .filter((path) => /\bLIMIT\s+\S+\s+OFFSET\b/i.test(read(path)));
  assert.deepEqual(wrong, []);
});

test("every table is STRICT", () => {
  const wrong = [];
  for (const path of files.filter((path) => /^migrations\/.*\.sql$/.test(path))) {
    const text = read(path).replaceAll(/--.*$/gm, "");
    for (const [statement, name] of text.matchAll(
      /CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)[^;]*;/gi,
    )) {
      if (!/\bSTRICT\b[^)]*;$/i.test(statement)) wrong.push(`${path}: ${name}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("no button asks for the next page of a list by itself: a change at the same time would cancel it for good", () => {
  const found = run("git", "grep", "-lE", "onClick=.*fetchNextPage\\(", "--", "ui/src").trim().split("\n");
  // This one asks again for what could not be read.
  assert.deepEqual(found, ["ui/src/features/conversations/transcript/Transcript.tsx"]);
});
