// What holds memory is for its owner alone, whatever rights new files of the account begin with: folders 0700, files 0600,
// from the first byte. What was wider before is narrowed when the folder is opened, and that is said once. And no log holds
// a word of memory, at any level.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { ask, binaries, cli, makeHome, tree } from "../lib/app.mjs";
import { startChatServer } from "../lib/chat-server.mjs";
import { addClient, EVERYTHING, overStdio } from "../lib/mcp.mjs";
import { makeHomeFor, makeWorkspace, WORKSPACE } from "../lib/store.mjs";

const CANARY = "quenchwortle";

/** Runs the command line with rights that new files begin with; answers with what it said. */
const under = (umask, home, args, env = {}) =>
  new Promise((resolve) => {
    const shell = ["-c", `umask ${umask}; exec "$0" "$@"`, binaries.cli, ...args];
    execFile("/bin/sh", shell, { env: { ...home.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? 1) : 0, stdout, stderr }),
    );
  });

/** Paths that others can open, with their modes. Downloaded models may be. */
const wide = (folder) =>
  tree(folder)
    .map((path) => [relative(folder, path), lstatSync(path)])
    .filter(([path, data]) => (data.mode & 0o077) !== 0 && !path.startsWith("models"))
    .map(([path, data]) => `${path} ${(data.mode & 0o777).toString(8)}`);

/** Verbs that between them make every kind of file. */
async function everything(home, does) {
  const out = join(home.path, "out");
  mkdirSync(out, { mode: 0o700 });
  await does("workspace", "create", WORKSPACE);
  await does("workspace", "create", "Elsewhere");
  const on = (...args) => does("--workspace", WORKSPACE, ...args);
  await on("memory", "add", "--scope", "workspace", `The ${CANARY} gate is iron.`);
  await on("memory", "add", "--scope", "account", `I like the word ${CANARY}.`);
  await on("named", "write", "VOICE", `Dry as ${CANARY}.`);
  const code = (await on("conversation", "start")).trim();
  await on("conversation", "say", code, `Where is the ${CANARY} gate?`, "--no-answer");
  await on("export", join(out, "all.json"));
  await on("export", join(out, "markdown"), "--format", "markdown", "--scope", "workspace");
  await on("import", join(out, "all.json"), "--dry-run");
  await on("import", join(out, "all.json"), "--conflicts", "both");
  await does("file", "add", join(out, "one.inkl"), "Gate", `The ${CANARY} gate.`);
  await on("backup", "now");
  await does("workspace", "delete", "Elsewhere");
  await on("doctor");
  return out;
}

for (const umask of ["022", "000"]) {
  test(`no file that holds memory is readable by others under umask ${umask}`, async (t) => {
    const home = makeHome();
    t.after(home.remove);
    const does = async (...args) => {
      const { code, stdout, stderr } = await under(umask, home, args);
      assert.equal(code, 0, `${args.join(" ")}\n${stderr}`);
      return stdout;
    };
    const out = await everything(home, does);
    assert.deepEqual([...wide(home.data), ...wide(out).filter((path) => !path.startsWith(" "))], []);
    assert.ok(tree(home.data).length > 10);
  });
}

test("wider permissions are restricted at the next start, and that is reported once", async (t) => {
  const home = await makeHomeFor(t);
  for (const path of tree(home.data)) chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o644);
  const first = await cli(home, ["workspace", "list"]);
  assert.match(first.stderr, /could read your memory \(.*agents\.db.*workspaces.*\); only you can now/);
  assert.deepEqual(wide(home.data), []);
  const again = await cli(home, ["workspace", "list"]);
  assert.equal(again.stderr, "");
});

test("no log contains memory text, though everything is logged", async (t) => {
  const home = makeHome();
  t.after(home.remove);
  home.env.INKLINGS_SECRETS = "file";
  await makeWorkspace(home);
  const logs = [];
  const env = { INKLINGS_LOG: "trace,rmcp=trace,hyper=trace,sqlx=trace" };
  const does = async (...args) => {
    const result = await under("022", home, ["--workspace", WORKSPACE, ...args], env);
    assert.equal(result.code, 0, `${args.join(" ")}\n${result.stderr}`);
    logs.push(result.stderr);
    return result.stdout;
  };
  await does("memory", "add", "--scope", "workspace", `The ${CANARY} gate is iron.`);
  await does("memory", "search", `${CANARY} gate`);
  const file = join(home.path, "in.jsonl");
  writeFileSync(file, `${JSON.stringify({ content: `Another ${CANARY}.` })}\n`);
  await under("022", home, ["--workspace", WORKSPACE, "import", file], env).then(({ stderr }) =>
    logs.push(stderr),
  );
  const server = await startChatServer([
    { calls: [{ name: "memory_search", arguments: { query: CANARY } }] },
    { text: `I know of the ${CANARY}.` },
  ]);
  t.after(server.stop);
  await ask(home, "chat", "connect", "--url", server.url, "--model", "test-model");
  const code = (await does("conversation", "start")).trim();
  await does("conversation", "say", code, `Where is the ${CANARY} gate?`);
  await addClient(home, "Editor", { allow: EVERYTHING });
  const chunks = [];
  const logging = { ...home, env: { ...home.env, ...env } };
  const client = await overStdio(logging, "Editor", (chunk) => chunks.push(chunk));
  await client.callTool({
    name: "memory_put",
    arguments: { tier: "workspace", content: `A ${CANARY} moat.` },
  });
  await client.callTool({ name: "memory_search", arguments: { tier: "workspace", query: CANARY } });
  await client.callTool({ name: "memory_put", arguments: { tier: CANARY, content: CANARY } });
  await client.close();
  logs.push(chunks.join(""));
  for (const log of logs) assert.ok(!log.includes(CANARY), log.slice(Math.max(0, log.indexOf(CANARY) - 400)));
  assert.ok(logs.some((log) => log.includes("the library's words are not kept") || log.includes("inklings")));
});
