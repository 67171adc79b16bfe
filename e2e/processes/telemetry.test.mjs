// What agents did: captured from real clients, promoted to a pattern, shown before the next action, judged, and removed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ask, cli } from "../lib/app.mjs";
import { addClient, call, overHttp, overStdio, refused, serveHttp } from "../lib/mcp.mjs";
import { errorOf, makeHomeFor, WORKSPACE } from "../lib/store.mjs";

const SECRET = "The heir of Veyra is a miller's child.";

async function installation(t) {
  const home = await makeHomeFor(t);
  const on = (...args) => ask(home, "--workspace", WORKSPACE, ...args);
  const { id } = (await on("memory", "add", "--scope", "workspace", SECRET)).detail.row;
  return { home, on, id };
}

/** As many clients as given, each of which tries once to change what is the author's. */
async function refusedClients(t, { home, id }, names, allow = []) {
  const clients = [];
  for (const name of names) {
    await addClient(home, name, { allow: ["workspace:write", ...allow] });
    const mcp = await overStdio(home, name);
    t.after(() => mcp.close());
    const error = await refused(mcp, "memory_update", { id, content: "Nobody is." });
    assert.equal(error.code, "locked");
    clients.push(mcp);
  }
  return clients;
}

const NAMES = ["Ada", "Brin", "Cleo", "Dara", "Edda"];

/** Rows are written by a task of the process that answered, right after its answer. */
async function settled(read, wanted) {
  for (let tries = 0; tries < 100; tries++) {
    const found = await read();
    if (wanted(found)) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return read();
}

test("each call of a client is a row without a text, and a target leads to what was done to it", async (t) => {
  const world = await installation(t);
  const [mcp] = await refusedClients(t, world, ["Ada"]);
  await call(mcp, "memory_search", { query: "zzzz" });
  const written = await call(mcp, "memory_put", { tier: "workspace", content: "The moat of Calin is dry." });
  await refused(mcp, "fact", { action: SECRET });
  const { rows } = await settled(
    () => world.on("telemetry", "list"),
    ({ rows }) => rows.length === 4,
  );
  assert.deepEqual(
    rows.map((row) => [row.action, row.target, row.outcome, row.error, row.client]),
    [
      ["fact", "unknown", "refused", "invalid", "Ada"],
      ["memory_put", "memory", "done", null, "Ada"],
      ["memory_search", "memory", "empty", "nothing_found", "Ada"],
      ["memory_update", "memory", "refused", "locked", "Ada"],
    ],
  );
  const of = (await world.on("telemetry", "list", "--target", written.id)).rows;
  assert.deepEqual(
    of.map((row) => row.action),
    ["memory_put"],
  );
  assert.equal((await world.on("telemetry", "list", "--outcome", "refused")).rows.length, 2);
  const [sequence] = await world.on("telemetry", "search", "put a memory");
  assert.equal(sequence.actions, 4);
  assert.equal((await world.on("telemetry", "show", sequence.id)).rows.length, 4);
  const page = await world.on("telemetry", "list", "--limit", "3");
  assert.equal((await world.on("telemetry", "list", "--after", page.next)).rows.length, 1);
});

test("a fifth client that is refused makes a pattern, and the next one is shown it before it acts", async (t) => {
  const world = await installation(t);
  const clients = await refusedClients(t, world, NAMES.slice(0, 4));
  assert.deepEqual(await world.on("telemetry", "show"), []);
  clients.push(...(await refusedClients(t, world, NAMES.slice(4), ["agent_telemetry"])));
  const [pattern] = await settled(
    () => world.on("telemetry", "show"),
    (patterns) => patterns.length === 1,
  );
  assert.equal(pattern.line, "memory_update on memory ended with 'locked' in 5 of 5 sequences");
  const oriented = async (mcp) => (await call(mcp, "orient", { query: "the heir" })).markdown;
  assert.ok((await oriented(clients[0])).includes(pattern.line));
  // A reader is shown no pattern of a tool that it does not have.
  await addClient(world.home, "Reader", {});
  const reader = await overStdio(world.home, "Reader");
  t.after(() => reader.close());
  assert.ok(!(await oriented(reader)).includes("sequences"));

  const tools = async (mcp) => (await mcp.listTools()).tools.map((tool) => tool.name);
  assert.ok(!(await tools(clients[0])).includes("agent_telemetry"));
  assert.ok((await tools(clients[4])).includes("agent_telemetry"));
  assert.equal((await refused(clients[0], "agent_telemetry", { action: "search" })).code, "not_granted");
  const telemetry = (args) => call(clients[4], "agent_telemetry", args);
  const found = await telemetry({ action: "search", query: "change a memory" });
  assert.equal(found.patterns[0].id, pattern.id);
  assert.ok(found.sequences.some(({ steps }) => steps.includes("memory_update on memory")));
  assert.ok((await telemetry({ action: "context", query: "update memory" })).patterns.length > 0);
  await telemetry({ action: "annotate", id: pattern.id, annotation: "expected", suppress: true });
  assert.ok(!(await oriented(clients[0])).includes("sequences"), "suppressed");
  await telemetry({ action: "annotate", id: pattern.id, suppress: false });
  await world.on("telemetry", "suppress", pattern.id);
  const locked = await refused(clients[4], "agent_telemetry", {
    action: "annotate",
    id: pattern.id,
    suppress: false,
  });
  assert.equal(locked.code, "locked");
  const made = await telemetry({
    action: "metric_create",
    measure: "count",
    of: "memory_update",
    error: "locked",
  });
  assert.equal(made.name, "count of memory_update, locked");
  const { metrics } = await telemetry({ action: "benchmark_get" });
  assert.ok(metrics.some(({ metric }) => metric === made.metric));
  assert.ok(metrics.some(({ metric }) => metric === "refusals"));
  const shown = await world.on("telemetry", "suppress", pattern.id, "--lift");
  assert.deepEqual([shown.shown, shown.annotation], [true, "expected"]);
  assert.equal((await world.on("telemetry", "annotate", pattern.id)).annotation, null);
  const unknown = await cli(
    world.home,
    ...[["--json", "--workspace", WORKSPACE, "telemetry", "annotate", world.id, "useful"]],
  );
  assert.equal(errorOf(unknown).code, "not_found");
});

test("while memory is off nothing is captured or shown, and a client with a lens has neither tool nor pattern", async (t) => {
  const world = await installation(t);
  await refusedClients(t, world, NAMES);
  await settled(
    () => world.on("telemetry", "show"),
    (patterns) => patterns.length === 1,
  );
  await world.on("subject", "set", "Toma", "character");
  await addClient(world.home, "Actor", { allow: ["workspace:write", "agent_telemetry"] });
  const { token } = await ask(world.home, "client", "token", "Actor");
  await ask(world.home, "client", "grant", "Actor", "--as", "Toma");
  const server = await serveHttp(world.home);
  t.after(server.stop);
  const actor = await overHttp(server, token);
  const tools = (await actor.listTools()).tools.map((tool) => tool.name);
  assert.ok(tools.includes("memory_update") && !tools.includes("agent_telemetry"));
  assert.equal((await refused(actor, "agent_telemetry", { action: "search" })).code, "not_granted");
  assert.ok(!(await call(actor, "orient", { query: "heir" })).markdown.includes("sequences"));
  const before = await settled(
    () => world.on("telemetry", "list"),
    ({ rows }) => rows.length >= 7,
  );
  await world.on("workspace", "memory", "off");
  await call(actor, "memory_search", { query: "heir" });
  await world.on("workspace", "memory", "on");
  await call(actor, "memory_search", { query: "heir" });
  const after = await settled(
    () => world.on("telemetry", "list"),
    ({ rows }) => rows.length > before.rows.length,
  );
  assert.equal(after.rows.length, before.rows.length + 1, "only the call after memory was on again");
});

test("no file of the workspace but its memory holds a text that an agent gave, and an export holds no telemetry", async (t) => {
  const world = await installation(t);
  await refusedClients(t, world, ["Ada"]);
  await settled(
    () => world.on("telemetry", "list"),
    ({ rows }) => rows.length === 1,
  );
  const file = join(world.home.path, "out.json");
  await world.on("export", file);
  const text = readFileSync(file, "utf8");
  assert.ok(text.includes(SECRET));
  for (const word of ["agent_actions", "agent_sequences", "agent_patterns", "latency"])
    assert.ok(!text.includes(word), word);
});
