// Clients that are not ours: the official Python SDK, and the command line of the Inspector.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { binaries, makeHome, root } from "../lib/app.mjs";
import { addClient, EVERYTHING, serveHttp } from "../lib/mcp.mjs";
import { add, makeWorkspace, WORKSPACE } from "../lib/store.mjs";

let home;
let server;
let token;
before(async () => {
  home = makeHome();
  await makeWorkspace(home);
  await add(home, "The mill wheel turns backwards.");
  ({ token } = await addClient(home, "Other", { allow: EVERYTHING, join: ["general"] }));
  server = await serveHttp(home, "--port", "17930");
});
after(async () => {
  await server?.stop();
  await home.remove();
});

const run = (command, args, env = {}, cwd = root) =>
  new Promise((resolve) => {
    execFile(
      command,
      args,
      { cwd, env: { ...home.env, ...env }, timeout: 120_000 },
      (error, stdout, stderr) => resolve({ code: error ? (error.code ?? 1) : 0, stdout, stderr }),
    );
  });

const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const python = process.env.INKLINGS_MCP_PYTHON ?? join(target, "mcp-python", "bin", "python");
const skip = !existsSync(python) && process.env.CI !== "true" ? "run scripts/setup-mcp.sh first" : false;

for (const transport of ["stdio", "http"])
  test(`the Python SDK runs the main workflow over ${transport}`, { skip }, async () => {
    const result = await run(python, [join(root, "e2e/mcp/main_path.py"), transport], {
      INKLINGS: (home.binaries ?? binaries).cli,
      WORKSPACE,
      CLIENT: "Other",
      URL: server.url,
      TOKEN: token,
    });
    assert.equal(result.code, 0, result.stderr);
    assert.match(result.stdout, /done/);
  });

// It looks for its own package.json from where it is started.
const inspectorHome = join(root, "node_modules/@modelcontextprotocol/inspector-cli/build");
const inspector = (...args) => run(process.execPath, ["cli.js", "--cli", ...args], {}, inspectorHome);

test("the Inspector's command line lists the tools and calls one, over both transports", async () => {
  const stdio = [(home.binaries ?? binaries).cli, "mcp", "--workspace", WORKSPACE, "--client", "Other"];
  const http = [server.url, "--transport", "http", "--header", `Authorization: Bearer ${token}`];
  for (const how of [stdio, http]) {
    const listed = await inspector(...how, "--method", "tools/list");
    assert.equal(listed.code, 0, listed.stderr);
    assert.ok(JSON.parse(listed.stdout).tools.length >= 9);
    const called = await inspector(
      ...how,
      ...["--method", "tools/call", "--tool-name", "memory_search"],
      ...["--tool-arg", "tier=workspace", "--tool-arg", "query=mill wheel"],
    );
    assert.equal(called.code, 0, called.stderr);
    assert.match(called.stdout, /The mill wheel turns backwards/);
  }
});
