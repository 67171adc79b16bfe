// Talks to a data folder through the command line, in the words the suites use.
import { ask, cli, makeHome } from "./app.mjs";

export const WORKSPACE = "Harrowgate";

/** Makes the workspace all suites use. */
export const makeWorkspace = (home) => ask(home, "workspace", "create", WORKSPACE);

/** A home with that workspace, for the one test `t`. */
export async function makeHomeFor(t) {
  const home = makeHome();
  t.after(home.remove);
  await makeWorkspace(home);
  return home;
}

/** The same, and the command line on that workspace. */
export async function installation(t) {
  const home = await makeHomeFor(t);
  return { home, on: (...args) => ask(home, "--workspace", WORKSPACE, ...args) };
}

/** The verbs of `inklings memory`, on that workspace. */
export const memory = (home, verb, ...args) => ask(home, "--workspace", WORKSPACE, "memory", verb, ...args);
export const tryMemory = (home, args, options) =>
  cli(home, ["--json", "--workspace", WORKSPACE, "memory", ...args], options);

/** Adds one entry and answers with its id. */
export async function add(home, text, ...args) {
  const answer = await memory(home, "add", "--scope", "workspace", ...args, text);
  return idOf(answer);
}

export const idOf = (answer) => answer.id ?? answer.detail?.row.id ?? answer.row?.id;

/** Every row `memory list` gives, page by page; fails when a page repeats one. */
export async function listAll(home, ...args) {
  const rows = [];
  const seen = new Set();
  let after = null;
  do {
    const page = await memory(home, "list", "--limit", "500", ...args, ...(after ? ["--after", after] : []));
    for (const row of page.rows) {
      if (seen.has(row.id)) throw new Error(`page after ${after} repeats ${row.id}`);
      seen.add(row.id);
      rows.push(row);
    }
    after = page.next;
  } while (after);
  return rows;
}

/** The JSON error a failed command left on stderr: exactly one object, on one line. */
export function errorOf(result) {
  const lines = result.stderr.trim().split("\n");
  if (lines.length !== 1) throw new Error(`expected one line of JSON on stderr, got:\n${result.stderr}`);
  return JSON.parse(lines[0]);
}

/** Runs `inklings doctor` and answers with its exit code and report. */
export async function doctor(home) {
  const result = await cli(home, ["doctor", "--json"]);
  return { code: result.code, report: result.stdout, trouble: result.stderr };
}
