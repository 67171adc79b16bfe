// `inklings dev-serve`: the commands of the window over HTTP, for the browser suite. Test builds only.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { cli, root } from "../lib/app.mjs";
import { devServe } from "../lib/dev-serve.mjs";
import { add, makeHomeFor, WORKSPACE } from "../lib/store.mjs";

const commands = [
  ...readFileSync(join(root, "crates/commands/src/registry.rs"), "utf8").matchAll(
    /^ {4}\w+ \w+(?:::|\.)(\w+)/gm,
  ),
].map(([, name]) => name);

/** A served data folder with one memory, and a page of one file beside a file that is not of the page. */
async function serve(t) {
  const home = await makeHomeFor(t);
  const id = await add(home, "The gate is iron.");
  const page = join(home.path, "page");
  mkdirSync(page);
  writeFileSync(join(page, "index.html"), "<!doctype html><title>Page</title>");
  writeFileSync(join(home.path, "secret.html"), "not of the page");
  const server = await devServe(home, page);
  t.after(server.stop);
  return { home, id, page, server };
}

/** A request whose path is sent as it stands. */
const raw = (url, path) =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    request({ hostname, port, path }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });

test("only the page is served without the token", async (t) => {
  const { server } = await serve(t);
  assert.ok(commands.length > 100, "the list of commands was read");
  for (const headers of [{}, { authorization: "Bearer 0" }, { authorization: server.token }]) {
    for (const command of commands) {
      const response = await fetch(`${server.url}/call/${command}`, { method: "POST", headers, body: "{}" });
      assert.equal(response.status, 401, command);
      assert.equal(await response.text(), "");
    }
    assert.equal((await fetch(`${server.url}/events`, { headers })).status, 401);
  }
  const response = await fetch(`${server.url}/index.html`);
  assert.match(await response.text(), /<title>Page/);
  assert.match(response.headers.get("content-security-policy"), /default-src 'self'.*script-src 'self'/);
});

test("no path outside the folder of the page is served", async (t) => {
  const { home, page, server } = await serve(t);
  for (const path of [
    "/../secret.html",
    "/%2e%2e/secret.html",
    "/a/../../secret.html",
    `/${home.path}/secret.html`,
    "/",
  ])
    assert.equal(await raw(server.url, path), 404, path);
  assert.equal(await raw(server.url, "/index.html"), 200);
  symlinkSync(join(home.path, "secret.html"), join(page, "linked.html"));
  assert.equal(await raw(server.url, "/linked.html"), 404, "a link out of the folder is not followed");
});

test("a command is answered as in the window, and an error keeps its code", async (t) => {
  const { id, server } = await serve(t);
  const memory = await server.call("get_memory", { id });
  assert.equal(memory.content, "The gate is iron.");
  await assert.rejects(server.call("get_memory", { id: 3 }), { code: "invalid" });
  await assert.rejects(server.call("get_memory", { id: "01910000-0000-7000-8000-000000000009" }), {
    code: "not_found",
  });
  await assert.rejects(server.call("no_such_command"), { code: "not_found" });
});

test("a write of another process is sent as an event", async (t) => {
  const { home, server } = await serve(t);
  const response = await fetch(`${server.url}/events`, { headers: server.headers });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  await add(home, "The sea is grey.");
  // Topics of the changes so far. An event is one line, and may come in pieces.
  const topics = (text) =>
    text
      .split("\n")
      .slice(0, -1)
      .filter((line) => line.startsWith("data: "))
      .map((line) => JSON.parse(line.slice("data: ".length)))
      .filter(({ event }) => event === "data-changed")
      .map(({ payload }) => payload.topic);
  let text = "";
  while (!topics(text).includes("memories")) {
    const { value, done } = await reader.read();
    assert.ok(!done, text);
    text += value;
  }
  await reader.cancel();
});

test("a server ends when its standard input is closed", async (t) => {
  const { home, server } = await serve(t);
  assert.equal(await server.stop(), 0);
  const listed = await cli(home, ["--json", "--workspace", WORKSPACE, "memory", "list"]);
  assert.equal(listed.code, 0);
});
