// Our own form through the command line: what a later release said comes out again, and a room goes out alone.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { ask, cli, makeHome } from "../lib/app.mjs";
import { errorOf, makeHomeFor, WORKSPACE } from "../lib/store.mjs";
import { idOf, timeless, writeOwn } from "../lib/transfer.mjs";

const on = (home, ...args) => ask(home, "--workspace", WORKSPACE, ...args);
const read = (path) => JSON.parse(readFileSync(path, "utf8"));

async function installation(t) {
  const home = await makeHomeFor(t);
  return home;
}

let made;
before(() => {
  const home = makeHome();
  const file = join(home.path, "file.json");
  writeOwn(file, { account: 3, workspace: 4, messages: 5 });
  made = readFileSync(file, "utf8");
  return home.remove();
});

async function imported(t) {
  const home = await installation(t);
  const file = join(home.path, "file.json");
  writeFileSync(file, made);
  const { plan } = await on(home, "import", file, "--pick-all");
  assert.deepEqual(
    plan.counts.filter((count) => count.kind === "refuse"),
    [],
  );
  return home;
}

test("unknown fields are exported as imported, also from the next installation", async (t) => {
  const home = await imported(t);
  const out = join(home.path, "out.json");
  await on(home, "export", out);
  const [given, found] = [JSON.parse(made), read(out)];
  assert.deepEqual(found.zeal, given.zeal);
  for (const section of ["conversations", "memories", "messages"]) {
    assert.deepEqual(found[section], given[section], section);
  }
  const next = await installation(t);
  await on(next, "import", out, "--pick-all");
  const again = join(next.path, "out.json");
  await on(next, "export", again);
  assert.equal(timeless(again), timeless(out));
});

test("one conversation is exported by its reference code, with its channel and nothing else", async (t) => {
  const home = await imported(t);
  const out = join(home.path, "out.json");
  const report = await on(home, "export", out, "--conversation", "TheGateTalk");
  const found = read(out);
  assert.deepEqual(found.scope, { account: false, workspace: false, conversation_id: idOf(3, 0) });
  const rows = Object.fromEntries(
    report.counts.map(({ what, rows }) => [what, rows]).filter(([, n]) => n > 0),
  );
  assert.deepEqual(rows, { channels: 1, conversations: 1, messages: 5 });
  assert.deepEqual(found.messages, JSON.parse(made).messages);
  assert.equal("zeal" in found, false, "what the whole file said is no part of a room");

  const next = await installation(t);
  await on(next, "import", out, "--pick-all");
  const again = join(next.path, "out.json");
  await on(next, "export", again, "--conversation", "TheGateTalk");
  assert.equal(timeless(again), timeless(out));

  const nowhere = ["--json", "--workspace", WORKSPACE, "export", join(home.path, "x.json")];
  const unknown = await cli(home, [...nowhere, "--conversation", "NoSuchTalk0"]);
  assert.equal(unknown.code, 1);
  assert.equal(errorOf(unknown).code, "not_found");
  const both = await cli(home, [...nowhere, "--conversation", "TheGateTalk", "--scope", "account"]);
  assert.equal(both.code, 2, "a room and a tier are two wishes");
});
