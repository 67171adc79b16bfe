// A linked vault over a day of use: every verb that writes, a running core, the World Agent and a client. No byte of it changes,
// and what was made in the day says what it was made of. `VAULT=folder` takes a copy of a real vault instead of a made one.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ask, cli } from "../lib/app.mjs";
import { startChatServer } from "../lib/chat-server.mjs";
import { devServe } from "../lib/dev-serve.mjs";
import { call, grant, overStdio } from "../lib/mcp.mjs";
import { listAll, memory, WORKSPACE } from "../lib/store.mjs";
import { makeTurns, writeJsonl } from "../lib/turns.mjs";
import { digest, makeVault } from "../lib/vault.mjs";
import { until } from "../lib/webdriver.mjs";
import { argsOf, CLIENT, freshCopy, makeWorld, VERBS } from "./lib/verbs.mjs";

const PAGES = 60;
const SALTMERE = "---\ntype: place\n---\n\n# History\n\nSaltmere was founded by Mira Vance in 412.\n";

let world;
before(async () => {
  world = await makeWorld();
});
after(() => world.home.remove());

/** A copy of the world with a vault beside its data. */
async function begin(t) {
  const home = freshCopy(world);
  t.after(home.remove);
  const folder = join(home.path, "vault");
  if (process.env.VAULT) cpSync(process.env.VAULT, folder, { recursive: true });
  else makeVault(folder, PAGES);
  writeFileSync(join(folder, "Saltmere.md"), SALTMERE);
  const on = (...args) => ask(home, "--workspace", WORKSPACE, ...args);
  const { sync } = await on("vault", "link", folder);
  assert.equal(sync.complete, true);
  return { home, folder, on };
}

test("no verb that writes changes a byte of a linked vault", async (t) => {
  const { home, folder } = await begin(t);
  const linked = digest(folder);
  const done = [];
  for (const verb of VERBS) {
    const { code } = await cli(home, argsOf(verb, world, home));
    if (code === 0) done.push(verb.name);
    assert.equal(digest(folder), linked, verb.name);
  }
  // One verb can take away what the next one is about.
  t.diagnostic(`${done.length} of ${VERBS.length} verbs succeeded one after the other`);
  assert.ok(done.length > 0.75 * VERBS.length, `${done}`);
});

test("every memory that a day made of something says what it was made of, and the vault is as it was", async (t) => {
  const { home, folder, on } = await begin(t);
  const linked = digest(folder);
  const known = new Set((await listAll(home)).map(({ id }) => id));
  const pageDir = join(home.path, "page");
  mkdirSync(pageDir);
  writeFileSync(join(pageDir, "index.html"), "<!doctype html><title>Page</title>");
  const core = await devServe(home, pageDir);
  t.after(core.stop);

  // The World Agent reads a page and notes something in a turn.
  const put = {
    name: "memory_put",
    arguments: { tier: "workspace", content: "The founder of Saltmere walked with a cane of whalebone." },
  };
  const model = await startChatServer([
    { calls: [{ name: "memory_search", arguments: { query: "who founded Saltmere" } }] },
    { calls: [put] },
    { text: "Mira Vance founded it." },
  ]);
  t.after(model.stop);
  await on("chat", "connect", "--url", model.url, "--model", "test-model");
  const { refCode } = await on("conversation", "start", "--title", "A day");
  await on("conversation", "say", refCode, "Who founded Saltmere? She walked with a cane of whalebone.");
  assert.match(JSON.stringify(model.requests.at(-1).body), /founded by Mira Vance/, "the page was read");
  await on("chat", "disconnect");
  await on(
    "conversation",
    "say",
    refCode,
    "--no-answer",
    "We decided that the bells of Saltmere are cast from green bronze.",
  );
  await on("conversation", "idle", refCode);

  // A client names the page, the worldbuilder accepts a proposal, and files are imported.
  await grant(home, CLIENT, { allow: ["read_pages"] });
  const client = await overStdio(home, CLIENT);
  t.after(() => client.close());
  const [{ id: page }] = (await call(client, "memory_search", { query: "Saltmere founded" })).pages;
  await call(client, "memory_put", {
    tier: "workspace",
    content: "Mira Vance founded Saltmere in 412, the year of its first wall.",
    sources: [`page:${page}`],
  });
  await on("proposal", "accept", world.ids.accepted);
  const turns = join(home.path, "turns.jsonl");
  writeJsonl(turns, makeTurns(12));
  await memory(home, "import-jsonl", "--scope", "workspace", turns);
  // An export of Inklings is read back as it was, so it is no file that memories are made of.
  await on("import", join(home.path, "files", "more"), "--format", "markdown");
  await on("conversation", "compact", world.conversations.long, "--retain", "4");

  const made = (await listAll(home)).filter(({ id }) => !known.has(id));
  const origins = {};
  for (const { id } of made) {
    const { derivations, axes } = await memory(home, "get", id);
    origins[axes.origin] ??= { made: 0, shown: 0 };
    const of = origins[axes.origin];
    of.made += 1;
    of.shown += derivations.length > 0 ? 1 : 0;
  }
  t.diagnostic(JSON.stringify(origins));
  for (const origin of ["imported", "agent_produced", "observed"])
    assert.ok(origins[origin]?.made > 0, `nothing is ${origin}`);
  for (const [origin, { made, shown }] of Object.entries(origins))
    if (origin !== "authored") assert.equal(shown, made, origin);
  assert.equal(digest(folder), linked);

  // A change from outside is in the inbox while the core runs.
  const before = (await on("drift", "list")).rows.length;
  const began = performance.now();
  writeFileSync(join(folder, "Saltmere.md"), SALTMERE.replace("Mira Vance in 412", "Oskar Lind in 398"));
  await until("the drift", async () => (await on("drift", "list")).rows.length > before);
  t.diagnostic(`a changed page was in the inbox after ${Math.round(performance.now() - began)} ms`);
});
