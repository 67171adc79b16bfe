// Who may come in over HTTP: token x Host x Origin x scope, and what is refused before a body is read.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, makeHome } from "../lib/app.mjs";
import { addClient, call, overHttp, raw, serveHttp } from "../lib/mcp.mjs";
import { add, makeWorkspace } from "../lib/store.mjs";

const SECRET = "Ondrey";
let home;
let server;
let tokens;
before(async () => {
  home = makeHome();
  await makeWorkspace(home);
  await add(home, `${SECRET} owns the mill.`);
  const right = (await addClient(home, "Right")).token;
  const revoked = (await addClient(home, "Out")).token;
  await ask(home, "client", "revoke", "Out");
  const old = (await addClient(home, "Renewed")).token;
  await ask(home, "client", "token", "Renewed");
  const blind = (await addClient(home, "Blind", { deny: ["workspace:read"] })).token;
  tokens = {
    right,
    blind,
    revoked,
    old,
    wrong: "f".repeat(64),
    short: right.slice(1),
    upper: right.toUpperCase(),
  };
  server = await serveHttp(home, "--port", "17910");
});
after(async () => {
  await server?.stop();
  await home.remove();
});

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
});
const headersOf = ({ token, host, origin }) => ({
  ...(host === undefined ? {} : { Host: host }),
  ...(origin === undefined ? {} : { Origin: origin }),
  ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
  "Content-Length": Buffer.byteLength(initialize),
});

test("only a valid token with a local Host and Origin is accepted", async () => {
  const hosts = [
    [`127.0.0.1:${server.port}`, true],
    [`localhost:${server.port}`, true],
    [`[::1]:${server.port}`, true],
    ["127.0.0.1", false],
    [`127.0.0.1:${server.port + 1}`, false],
    [`evil.example:${server.port}`, false],
    [`localhost.evil.example:${server.port}`, false],
  ];
  const origins = [
    [undefined, true],
    ["http://localhost:5173", true],
    ["https://127.0.0.1", true],
    ["null", false],
    ["https://evil.example", false],
    ["http://localhost.evil.example", false],
    ["tauri://localhost", false],
  ];
  const shown = [
    [tokens.right, true],
    [tokens.blind, true],
    [undefined, false],
    [tokens.wrong, false],
    [tokens.revoked, false],
    [tokens.old, false],
    [tokens.short, false],
    ["", false],
  ];
  if (tokens.upper !== tokens.right) shown.push([tokens.upper, false]);
  for (const [host, hostOk] of hosts)
    for (const [origin, originOk] of origins)
      for (const [token, tokenOk] of shown) {
        const answer = await raw(server, { headers: headersOf({ host, origin, token }), body: initialize });
        const expected = !hostOk || !originOk ? 403 : tokenOk ? 200 : 401;
        assert.equal(answer.status, expected, JSON.stringify({ host, origin, token: token?.slice(0, 6) }));
        if (expected !== 200) assert.ok(!answer.body.includes(SECRET) && answer.body.length < 200);
        if (expected === 401) assert.equal(answer.headers["www-authenticate"], "Bearer");
      }
});

test("grants decide what an authenticated client reads: the same question with and without a grant", async () => {
  const seeing = await overHttp(server, tokens.right);
  const blind = await overHttp(server, tokens.blind);
  const question = { name: "memory_search", arguments: { tier: "workspace", query: SECRET } };
  assert.match(JSON.stringify(await seeing.callTool(question)), new RegExp(SECRET));
  const refusal = await blind.callTool(question);
  assert.equal(refusal.isError, true);
  assert.ok(!JSON.stringify(refusal).includes(SECRET));
  await seeing.close();
  await blind.close();
});

test("a request without a Host, on another path or method, or with a broken body is refused, and the server keeps running", async () => {
  const host = `127.0.0.1:${server.port}`;
  const good = headersOf({ host, token: tokens.right });
  const bare = await raw(server, { headers: headersOf({ token: tokens.right }), body: initialize });
  assert.ok([400, 403].includes(bare.status), String(bare.status));
  assert.equal((await raw(server, { path: "/", headers: good, body: initialize })).status, 404);
  assert.equal(
    (await raw(server, { path: "/", headers: headersOf({ host: "evil.example" }), body: initialize })).status,
    403,
  );
  for (const body of ["", "{", "[]", '{"jsonrpc":"2.0"}', "\u0000\u0001"]) {
    const answer = await raw(server, {
      headers: { ...good, "Content-Length": Buffer.byteLength(body) },
      body,
    });
    assert.ok(answer.status >= 400 && answer.status < 500, `${JSON.stringify(body)}: ${answer.status}`);
  }
  const client = await overHttp(server, tokens.right);
  await call(client, "memory_get");
  await client.close();
});

test("an oversized body is refused by its declared length, or while it arrives if it declares none", async () => {
  const host = `127.0.0.1:${server.port}`;
  const huge = "x".repeat(1_100_000);
  const declared = { ...headersOf({ host, token: tokens.right }), "Content-Length": huge.length };
  const early = await raw(server, { headers: declared, body: huge }).catch((error) => ({
    status: error.code,
  }));
  assert.ok([413, "EPIPE", "ECONNRESET"].includes(early.status), String(early.status));
  const promised = { ...headersOf({ host, token: tokens.right }), "Content-Length": 5_000_000 };
  assert.equal(
    (await raw(server, { headers: promised, body: "" }).catch((error) => error)).status ?? 413,
    413,
  );
  const { "Content-Length": _, ...chunked } = headersOf({ host, token: tokens.right });
  const late = await raw(server, {
    headers: { ...chunked, "Transfer-Encoding": "chunked" },
    body: huge,
  }).catch((error) => ({ status: error.code }));
  assert.ok([413, "EPIPE", "ECONNRESET"].includes(late.status), String(late.status));
  const unknown = await raw(server, { headers: { ...promised, Authorization: "Bearer x" }, body: "" });
  assert.equal(unknown.status, 401, "whoever has no token does not learn the limit");
});

test("a session can be used only by its own client", async () => {
  const host = `127.0.0.1:${server.port}`;
  const opened = await raw(server, { headers: headersOf({ host, token: tokens.right }), body: initialize });
  const session = opened.headers["mcp-session-id"];
  assert.ok(session);
  const list = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" });
  const as = (token) =>
    raw(server, {
      headers: {
        ...headersOf({ host, token }),
        "Mcp-Session-Id": session,
        "MCP-Protocol-Version": "2025-06-18",
        "Content-Length": list.length,
      },
      body: list,
    });
  assert.equal((await as(tokens.blind)).status, 404);
  assert.equal((await as(tokens.right)).status, 200);
});

test("a client that deletes its session gets 204, and the session is unknown afterwards", async () => {
  const host = `127.0.0.1:${server.port}`;
  const opened = await raw(server, { headers: headersOf({ host, token: tokens.right }), body: initialize });
  const session = {
    "Mcp-Session-Id": opened.headers["mcp-session-id"],
    "MCP-Protocol-Version": "2025-06-18",
  };
  const { "Content-Length": _, ...headers } = headersOf({ host, token: tokens.right });
  const end = (token) =>
    raw(server, { method: "DELETE", headers: { ...headers, Authorization: `Bearer ${token}`, ...session } });
  assert.equal((await end(tokens.blind)).status, 404, "it is not theirs");
  const ended = await end(tokens.right);
  assert.deepEqual([ended.status, ended.body], [204, ""]);
  assert.equal((await end(tokens.right)).status, 404);
  const list = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" });
  const late = { ...headers, ...session, "Content-Length": list.length };
  assert.equal((await raw(server, { headers: late, body: list })).status, 404);
  const { "Mcp-Session-Id": __, ...nameless } = session;
  assert.equal(
    (await raw(server, { method: "DELETE", headers: { ...headers, ...nameless } })).status,
    400,
    "a session has to be named",
  );
  const client = await overHttp(server, tokens.right);
  await client.transport.terminateSession();
  await client.close();
});

test("a client over its rate limit is refused with a delay, and the others are served", async () => {
  const host = `127.0.0.1:${server.port}`;
  const quick = (token) =>
    raw(server, { method: "PUT", headers: headersOf({ host, token }), body: initialize });
  const answers = await Promise.all(Array.from({ length: 100 }, () => quick(tokens.blind)));
  for (let n = 0; n < 6; n += 1)
    answers.push(
      ...(await Promise.all(
        Array.from({ length: 100 }, () => quick(tokens.blind).catch(() => ({ status: 0 }))),
      )),
    );
  assert.ok(answers.some(({ status }) => status === 429));
  assert.ok((await quick(tokens.right)).status !== 429);
});

test("a port in use is skipped, and the chosen one is printed", async () => {
  const second = await serveHttp(home, "--port", String(server.port));
  assert.ok(second.port > server.port);
  const client = await overHttp(second, tokens.right);
  await call(client, "memory_get");
  await client.close();
  await second.stop();
});
