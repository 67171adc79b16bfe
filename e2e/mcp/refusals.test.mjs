// Every refusal that an agent can meet: nothing granted, wrong rooms, bad arguments, a revoked client.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, makeHome } from "../lib/app.mjs";
import { addClient, call, grant, overHttp, overStdio, refused, serveHttp } from "../lib/mcp.mjs";
import { add, makeWorkspace, WORKSPACE } from "../lib/store.mjs";

const SECRET = "Quillon";
let home;
let refCode;
let id;
before(async () => {
  home = makeHome();
  await makeWorkspace(home);
  id = await add(home, `${SECRET} keeps the seventh key.`);
  const started = await ask(home, "--workspace", WORKSPACE, "conversation", "start");
  refCode = started.refCode ?? started.conversation?.refCode;
  await ask(home, "--workspace", WORKSPACE, "named", "write", "VOICE", `${SECRET} speaks softly.`);
  await ask(home, "--workspace", WORKSPACE, "fact", "set", "keys", "seventh", SECRET);
});
after(() => home.remove());

const calls = () => [
  ["memory_search", { tier: "workspace", query: SECRET }],
  ["memory_search", { query: SECRET }],
  ["memory_get", { id }],
  ["memory_get", { id, history: true }],
  ["memory_get", {}],
  ["memory_get", { name: "VOICE" }],
  ["orient", { query: SECRET }],
  ["fact", { action: "get", category: "keys" }],
  ["fact", { action: "set", category: "keys", key: "first", value: "x" }],
  ["memory_put", { tier: "workspace", content: `${SECRET} is here.` }],
  ["memory_update", { id, content: "x" }],
  ["memory_forget", { id, reason: "x" }],
  ["scratchpad", { action: "write", conversation: refCode, key: "k", value: 1 }],
  ["scratchpad", { action: "read", conversation: refCode, key: "k" }],
  ["scratchpad", { action: "read", conversation: refCode }],
  ["scratchpad", { action: "clear", conversation: refCode }],
  ["conversation", { action: "list" }],
  ["conversation", { action: "read", conversation: refCode }],
  ["conversation", { action: "append", conversation: refCode, text: "x" }],
  ["proposal_create", { kind: "retire", ids: [id], reason: "x" }],
  ["memory_switch", { enabled: true }],
  ["memory_switch", { enabled: false }],
  ["scrub", { action: "preview", tier: "workspace", mode: "full" }],
  [
    "scrub",
    { action: "execute", tier: "workspace", mode: "full", hash: "0".repeat(64), phrase: "scrub workspace" },
  ],
];
/** How many of them, from the first, a client may make that reads the workspace. */
const OPEN = 8;

test("a client without grants is refused every tool and gets no information", async () => {
  await addClient(home, "Nobody", { deny: ["workspace:read"] });
  const client = await overStdio(home, "Nobody");
  assert.deepEqual((await client.listTools()).tools, []);
  for (const [name, args] of calls()) {
    const error = await refused(client, name, args);
    assert.equal(error.code, "not_granted", `${name}: ${error.text}`);
    assert.ok(error.hint.length > 0 && !error.text.includes(SECRET), error.text);
    assert.doesNotMatch(error.message, /\d/, `${name}: no counts`);
  }
  assert.deepEqual((await client.listResources()).resources, []);
  await assert.rejects(
    client.readResource({ uri: `inklings://memory/${id}` }),
    (error) => !error.message.includes(SECRET),
  );
  await assert.rejects(client.getPrompt({ name: "orient", arguments: { query: "x" } }));
  await client.close();
});

test("a new client may read the workspace, and is refused everything else", async () => {
  await addClient(home, "Reader");
  const client = await overStdio(home, "Reader");
  assert.deepEqual(
    (await client.listTools()).tools.map(({ name }) => name),
    ["orient", "memory_search", "memory_get", "fact"],
  );
  for (const [n, [name, args]] of calls().entries()) {
    if (n < OPEN) await call(client, name, args);
    else assert.equal((await refused(client, name, args)).code, "not_granted", name);
  }
  for (const place of [
    { tier: "account" },
    { tier: "channel", channel: "general" },
    { tier: "conversation" },
  ])
    assert.equal(
      (await refused(client, "memory_search", { ...place, query: "x" })).code,
      "not_granted",
      place.tier,
    );
  const names = (await call(client, "memory_get")).entries.map((entry) => entry.name);
  assert.ok(
    names.includes("VOICE") && !names.includes("SOUL"),
    "the account's entries are not the workspace's",
  );
  await client.close();
});

test("channels and conversations where a client takes no part give the same error as unknown ones", async () => {
  await ask(home, "--workspace", WORKSPACE, "channel", "create", "side");
  await addClient(home, "Sidekick", {
    allow: ["channel:read", "channel:write", "conversation:read", "conversation:write"],
    join: ["side"],
  });
  const client = await overStdio(home, "Sidekick");
  const hidden = await refused(client, "conversation", { action: "read", conversation: refCode });
  const unknown = await refused(client, "conversation", { action: "read", conversation: "AAAAAAAAAA" });
  assert.equal(hidden.text, unknown.text);
  const closed = await refused(client, "memory_search", { tier: "channel", channel: "general", query: "x" });
  const missing = await refused(client, "memory_search", { tier: "channel", channel: "nowhere", query: "x" });
  assert.equal(closed.text, missing.text);
  await call(client, "memory_put", { tier: "channel", channel: "side", content: "The side door is green." });
  assert.deepEqual((await call(client, "conversation", { action: "list" })).conversations, []);
  await client.close();
});

test("invalid arguments are refused with the field and without their value", async () => {
  await addClient(home, "Clumsy", { allow: ["workspace:write", "propose"] });
  const client = await overStdio(home, "Clumsy");
  const bad = [
    ["memory_search", { tier: SECRET, query: "x" }],
    ["memory_put", { content: "A fine statement." }],
    ["memory_put", { tier: "workspace", content: "x", curator: "author" }],
    ["memory_put", { tier: "workspace", content: "" }],
    ["memory_put", { tier: "workspace", content: "A fine statement.", importance: 7 }],
    ["memory_put", { tier: "workspace", content: `${SECRET} `.repeat(12_000) }],
    ["memory_update", { id: SECRET, content: "x" }],
    ["proposal_create", { kind: "edit", ids: [id], reason: "no text" }],
    ["fact", { action: "set", category: "", key: "k", value: "v" }],
  ];
  for (const [name, args] of bad) {
    const error = await refused(client, name, args);
    assert.equal(error.code, "invalid", `${name}: ${error.text}`);
    assert.ok(!error.text.includes(SECRET), error.text);
  }
  const nobody = { id: "0190a3c2-0000-7000-8000-000000000000" };
  assert.equal((await refused(client, "memory_get", { ...nobody, history: true })).code, "not_found");
  assert.equal((await refused(client, "memory_get", { name: "NOWHERE" })).code, "not_found");
  const { id: own } = await call(client, "memory_put", { tier: "workspace", content: "The well is deep." });
  assert.equal(
    (await refused(client, "memory_update", { id: own, version: 9, content: "x" })).code,
    "stale_version",
  );
  const twice = await refused(client, "memory_put", { tier: "workspace", content: "The well is deep." });
  assert.equal(twice.code, "already_noted");
  await assert.rejects(client.callTool({ name: "memory.read", arguments: {} }));
  await client.close();
});

test("grants apply from the next call, and revocation applies at once, on both transports", async () => {
  const { token } = await addClient(home, "Passing");
  const server = await serveHttp(home, "--port", "17890");
  const clients = [await overStdio(home, "Passing"), await overHttp(server, token)];
  const put = (text) => ({ tier: "workspace", content: text });
  for (const [n, client] of clients.entries()) {
    assert.equal(
      (await refused(client, "memory_put", put(`First try number ${n} here.`))).code,
      "not_granted",
    );
  }
  await grant(home, "Passing", { allow: ["workspace:write"] });
  for (const [n, client] of clients.entries())
    await call(client, "memory_put", put(`Lantern number ${n} is lit.`));
  await ask(home, "client", "revoke", "Passing");
  assert.equal(
    (await refused(clients[0], "memory_search", { tier: "workspace", query: "x" })).code,
    "revoked",
  );
  await assert.rejects(clients[1].callTool({ name: "memory_get", arguments: {} }), /401|token/i);
  await assert.rejects(overStdio(home, "Passing"));
  await assert.rejects(overHttp(server, token));
  for (const client of clients) await client.close().catch(() => {});
  await server.stop();
});
