// A client writes through every tool that writes; one undo takes all of it back, row by row as it was.
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { ask, cli, makeHome } from "../lib/app.mjs";
import { addClient, call, EVERYTHING, overStdio } from "../lib/mcp.mjs";
import { add, listAll, makeWorkspace, memory, WORKSPACE } from "../lib/store.mjs";

let home;
beforeEach(async () => {
  home = makeHome();
  await makeWorkspace(home);
});
afterEach(() => home.remove());

const here = (...args) => ask(home, "--workspace", WORKSPACE, ...args);

/** What a client can change, as the worldbuilder sees it; without what only tells of when it was looked at or changed. */
async function world(conversation) {
  const memories = (await listAll(home)).map(({ id, scope, preview, tags, importance, curator }) => ({
    id,
    scope,
    preview,
    tags,
    importance,
    curator,
  }));
  const facts = (await here("fact", "list")).rows.map(({ id, category, key, value, source, claims }) => ({
    id,
    category,
    key,
    value,
    source,
    claims,
  }));
  return {
    memories: memories.sort((a, b) => a.id.localeCompare(b.id)),
    facts,
    notes: await here("scratchpad", "list", conversation),
    messages: (await here("conversation", "show", conversation)).messages,
    listed: (await here("conversation", "list")).rows.map((row) => [row.refCode, row.activeAt]),
    proposals: (await here("proposal", "list")).rows.map((row) => row.id),
    enabled: await here("workspace", "memory"),
  };
}

async function prepared() {
  const { refCode } = await here("conversation", "start");
  await here("conversation", "say", refCode, "--no-answer", "What is the gate made of?");
  await here("fact", "set", "gate", "metal", "iron", "--curator", "agent");
  await here("fact", "set", "gate", "height", "two men");
  await here("scratchpad", "write", refCode, "plan", "[1]");
  await here("scratchpad", "write", refCode, "old", "true");
  const id = await add(home, "The moat is dry.", "--curator", "agent");
  const other = await add(home, "The tower leans.", "--curator", "agent");
  return { conversation: refCode, id, other };
}

async function writesEverything(name, { conversation, id, other }) {
  await addClient(home, name, { allow: EVERYTHING, join: ["general"], joinConversation: [conversation] });
  const client = await overStdio(home, name);
  for (const [tier, content, room] of [
    ["account", "Likes answers kept brief."],
    ["workspace", "A raven sits on the mast."],
    ["channel", "Salt is taxed twice in winter.", "general"],
    ["conversation", "The harbour freezes in March.", conversation],
  ])
    await call(client, "memory_put", { tier, content, ...(room && { [tier]: room }) });
  await call(client, "memory_update", { id, content: "The moat is full." });
  await call(client, "memory_forget", { id: other, reason: "gone" });
  await call(client, "proposal_create", { kind: "retire", ids: [id], reason: "stale" });
  await call(client, "fact", { action: "set", category: "gate", key: "metal", value: "bronze" });
  await call(client, "fact", { action: "set", category: "gate", key: "metal", value: "tin" });
  await call(client, "fact", { action: "set", category: "moat", key: "depth", value: "a spear" });
  assert.ok(
    (await call(client, "fact", { action: "set", category: "gate", key: "height", value: "three" })).claimed,
  );
  await call(client, "conversation", { action: "append", conversation, text: "It is of orichalcum." });
  await call(client, "scratchpad", { action: "write", conversation, key: "plan", value: [1, 2] });
  await call(client, "scratchpad", {
    action: "write",
    conversation,
    key: "mine",
    value: "x",
    ttl_seconds: 900,
  });
  await call(client, "scratchpad", { action: "clear", conversation, key: "old" });
  await call(client, "memory_switch", { enabled: false });
  await client.close();
}

test("one undo reverts what a client wrote through every tool, and lists it before and after", async () => {
  const there = await prepared();
  const was = await world(there.conversation);
  assert.equal(was.messages.length, 1);
  assert.ok(was.listed[0].every(Boolean), "the list says when something was said last");
  await writesEverything("Scribe", there);
  assert.notDeepEqual(await world(there.conversation), was);

  const { rows } = await ask(home, "client", "changes", "Scribe");
  const kinds = {};
  for (const row of rows) {
    const kind = row.wrote?.kind ?? "memory";
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  assert.deepEqual(kinds, { setting: 1, note: 3, message: 1, claim: 1, fact: 3, memory: 6 });
  assert.equal(rows.find((row) => row.wrote?.kind === "claim").wrote.label, "gate / height");
  assert.ok(rows.every((row) => row.undoneBy === null));
  const listed = (await ask(home, "client", "list")).find((client) => client.name === "Scribe");
  assert.equal(listed.writes, rows.length);

  const undone = await ask(home, "client", "undo", "Scribe");
  assert.deepEqual([undone.restored, undone.conflicts], [6, []]);
  assert.deepEqual(undone.writes, {
    facts: 4,
    messages: 1,
    answered: 0,
    notes: 3,
    switched: true,
    proposals: 1,
    notUndone: [],
  });
  assert.deepEqual(await world(there.conversation), was);
  const { hits } = await here("conversation", "search", "orichalcum");
  assert.deepEqual(hits, []);
  const after = await ask(home, "client", "changes", "Scribe");
  assert.ok(after.rows.every((row) => row.undoneBy !== null));
  assert.equal((await ask(home, "client", "undo", "Scribe")).restored, 0);
});

test("later changes by the worldbuilder stay, and are reported", async () => {
  const there = await prepared();
  await writesEverything("Other", there);
  await here("workspace", "memory", "on");
  await here("fact", "set", "moat", "depth", "an oar");
  await here("scratchpad", "write", there.conversation, "plan", "[9]");
  await here("conversation", "say", there.conversation, "--no-answer", "Are you sure?");
  const undone = await ask(home, "client", "undo", "Other");
  assert.deepEqual(undone.writes.notUndone.map(({ wrote, why }) => [wrote.kind, why]).sort(), [
    ["fact", "changed"],
    ["note", "changed"],
  ]);
  assert.deepEqual([undone.writes.messages, undone.writes.answered, undone.writes.switched], [1, 1, false]);
  assert.equal((await here("fact", "get", "moat", "depth"))[0].value, "an oar");
  assert.deepEqual((await here("workspace", "memory")).memoryEnabled, true);
  assert.equal((await memory(home, "get", there.id)).row.preview, "The moat is dry.");
});

test("texts that consolidation made of a client's words are removed with the client", async () => {
  await addClient(home, "Poisoner", { allow: ["workspace:read", "workspace:write"] });
  const client = await overStdio(home, "Poisoner");
  const texts = [
    "The ferry at Veyra leaves the north pier at dawn.",
    "The ferry at Veyra leaves from the north pier each day at dawn.",
    "At dawn each day the ferry leaves the north pier at Veyra.",
  ];
  for (const content of texts) {
    await call(client, "memory_put", { tier: "workspace", content, importance: 1 });
  }
  await here("embed");
  const { counts } = await here("consolidate", "run");
  assert.deepEqual([counts.rewritten, counts.created], [3, 1], "three texts became one");
  const [made] = await listAll(home);
  const { id } = (await ask(home, "client", "list")).find(({ name }) => name === "Poisoner");
  const detail = await memory(home, "get", made.id);
  assert.deepEqual([detail.row.source, detail.derivedFrom], ["consolidation", [`client:${id}`]]);
  for (let reads = 0; reads < 6; reads += 1) {
    await call(client, "memory_search", { tier: "workspace", query: "ferry" });
  }
  assert.equal((await memory(home, "get", made.id)).row.accessCount, 0, "its own reading counts for nothing");
  await client.close();
  const undone = await ask(home, "client", "undo", "Poisoner");
  assert.deepEqual([undone.restored, undone.conflicts], [4, []]);
  assert.deepEqual(await listAll(home), []);
});

test("every page of a client's changes is reached with what the text says", async () => {
  await addClient(home, "Writer", { allow: ["workspace:read", "workspace:write"] });
  const client = await overStdio(home, "Writer");
  for (const content of ["The gate is iron.", "The moat is dry.", "The tower leans."])
    await call(client, "memory_put", { tier: "workspace", content });
  await client.close();
  const all = (await ask(home, "client", "changes", "Writer")).rows.map(({ changeId }) => changeId);
  assert.equal(all.length, 3);
  const seen = [];
  for (let more = []; more && seen.length <= all.length; ) {
    const { code, stdout, stderr } = await cli(home, [
      "client",
      "changes",
      "Writer",
      "--limit",
      "1",
      ...more,
    ]);
    assert.equal(code, 0, stderr);
    seen.push(all.find((id) => stdout.includes(id)));
    more = stderr.match(/^More: (--before) (\d+)$/m)?.slice(1);
  }
  assert.deepEqual(seen, all);
});
