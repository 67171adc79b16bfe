// `inklings mcp install`: the configuration of another program gains the server, and loses nothing.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ask, cli, makeHome } from "../lib/app.mjs";
import { call } from "../lib/mcp.mjs";
import { add, makeWorkspace, WORKSPACE } from "../lib/store.mjs";

let home;
before(async () => {
  home = makeHome();
  await makeWorkspace(home);
  await add(home, "The lantern is lit at dusk.");
});
after(() => home.remove());

const install = (...args) => ask(home, "--workspace", WORKSPACE, "mcp", "install", ...args);
const refusedInstall = async (...args) => {
  const { code, stderr } = await cli(home, ["--json", "--workspace", WORKSPACE, "mcp", "install", ...args]);
  return { code, error: JSON.parse(stderr.trim().split("\n").at(-1)) };
};
const put = (path, text) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
};
const read = (path) => readFileSync(path, "utf8");
const FILES = {
  "claude-desktop": ["config/Claude/claude_desktop_config.json", "mcpServers"],
  "claude-code": [".claude.json", "mcpServers"],
  cursor: [".cursor/mcp.json", "mcpServers"],
  vscode: ["config/Code/User/mcp.json", "servers"],
};

for (const [program, [file, key]] of Object.entries(FILES))
  test(`${program}: the written settings start a server that answers, and writing them again changes nothing`, async () => {
    const path = join(home.own, file);
    const { plan, written, copy } = await install(program, "--yes");
    assert.deepEqual([plan.file, written, copy], [path, true, null]);
    const entry = JSON.parse(read(path))[key].inklings;
    const client = new Client({ name: "installed", version: "1" });
    await client.connect(
      new StdioClientTransport({ command: entry.command, args: entry.args, env: { HOME: home.own } }),
    );
    const { memories } = await call(client, "memory_search", { query: "lantern" });
    assert.equal(memories.length, 1);
    await client.close();
    const again = await install(program, "--yes");
    assert.deepEqual([again.written, again.copy, again.plan.added], [false, null, []]);
    const clients = (await ask(home, "client", "list")).filter(({ name }) => name === plan.client);
    assert.equal(clients.length, 1, "the client can be granted more at once");
  });

test("an installed program and a pasted snippet still connect after their workspace was renamed", async () => {
  await ask(home, "workspace", "create", "Second");
  const on = (...args) => ask(home, "--workspace", "Second", ...args);
  await on("memory", "add", "--scope", "workspace", "The lantern of the second world.");
  const folder = join(home.own, "renamed");
  await on("mcp", "install", "cursor", "--project", folder, "--name", "Second reader", "--yes");
  const { stdio } = await on("client", "snippets", "Second reader");
  const texts = [
    read(join(folder, ".cursor", "mcp.json")),
    stdio.find(({ program }) => program === "Cursor").text,
  ];
  await ask(home, "workspace", "rename", "Second", "Renamed");
  for (const text of texts) {
    const entry = JSON.parse(text).mcpServers.inklings;
    const client = new Client({ name: "installed", version: "1" });
    await client.connect(
      new StdioClientTransport({ command: entry.command, args: entry.args, env: { HOME: home.own } }),
    );
    const { memories } = await call(client, "memory_search", { query: "lantern" });
    assert.deepEqual(
      memories.map(({ content }) => content),
      ["The lantern of the second world."],
    );
    await client.close();
  }
});

test("comments, other servers and a link are kept; the old file is copied; a dry run writes nothing", async () => {
  const folder = join(home.own, "project");
  const old =
    '{\r\n  // mine\r\n  "servers": {\r\n    "other": { "command": "x" }, // keep\r\n  },\r\n  "inputs": []\r\n}\r\n';
  const real = put(join(home.own, "dotfiles", "mcp.json"), old);
  mkdirSync(join(folder, ".vscode"), { recursive: true });
  const path = join(folder, ".vscode", "mcp.json");
  symlinkSync(real, path);
  const planned = await install("vscode", "--project", folder, "--name", "Notes", "--dry-run");
  assert.equal(planned.written, false);
  assert.ok(planned.plan.added.some((line) => line.includes('"inklings"')));
  assert.equal(read(path), old);
  assert.ok(!(await ask(home, "client", "list")).some(({ name }) => name === "Notes"));
  const { copy } = await install("vscode", "--project", folder, "--name", "Notes", "--yes");
  assert.equal(read(copy), old);
  const now = read(real);
  assert.equal(read(path), now, "the link still leads there");
  for (const kept of ["// mine", '"other": { "command": "x" }, // keep', '"inputs": []'])
    assert.ok(now.includes(kept));
  assert.deepEqual(
    readdirSync(dirname(real)).sort(),
    ["mcp.json", "mcp.json.before-inklings"],
    "nothing else is left",
  );
});

test("unreadable settings and unconfirmed writes are refused, and nothing is written", async () => {
  const folder = join(home.own, "broken");
  const path = put(join(folder, ".cursor", "mcp.json"), '{ "mcpServers": { "a": 1 ');
  const { code, error } = await refusedInstall("cursor", "--project", folder, "--yes");
  assert.deepEqual([code, error.code, error.details.field], [1, "invalid", "file"]);
  assert.match(error.message, /not valid JSON at line 1/);
  assert.equal(read(path), '{ "mcpServers": { "a": 1 ');
  put(path, '{ "mcpServers": [] }');
  assert.equal((await refusedInstall("cursor", "--project", folder, "--yes")).error.code, "invalid");
  put(path, "{}");
  const unasked = await refusedInstall("cursor", "--project", folder);
  assert.deepEqual([unasked.code, unasked.error.code], [2, "usage"]);
  assert.equal(read(path), "{}");
  const nowhere = await refusedInstall("claude-desktop", "--project", folder, "--yes");
  assert.equal(nowhere.error.details.field, "project");
  await ask(home, "client", "add", "Out");
  await ask(home, "client", "revoke", "Out");
  assert.equal((await refusedInstall("cursor", "--name", "Out", "--yes")).error.code, "locked");
});
