// The official TypeScript SDK through every tool, resource and the prompt, over both transports.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { ask, makeHome } from "../lib/app.mjs";
import { addClient, call, EVERYTHING, grant, overHttp, overStdio, refused, serveHttp } from "../lib/mcp.mjs";
import { add, makeWorkspace, memory, WORKSPACE } from "../lib/store.mjs";

/** What a client with every grant is shown, but for scrubs; `true`: it only reads. */
const TOOLS = {
  conversation: false,
  fact: false,
  memory_forget: false,
  memory_get: true,
  memory_put: false,
  memory_search: true,
  memory_switch: false,
  memory_update: false,
  orient: true,
  proposal_create: false,
  scratchpad: false,
};

let home;
let server;
let token;
before(async () => {
  home = makeHome();
  await makeWorkspace(home);
  const { refCode } = await ask(home, "--workspace", WORKSPACE, "conversation", "start");
  ({ token } = await addClient(home, "Full", {
    allow: EVERYTHING,
    join: ["general"],
    joinConversation: [refCode],
  }));
  server = await serveHttp(home, "--port", "17862");
});
after(async () => {
  await server?.stop();
  await home.remove();
});

const until = async (what, ready) => {
  for (const end = Date.now() + 5_000; Date.now() < end; await new Promise((go) => setTimeout(go, 50)))
    if (ready()) return;
  assert.fail(`${what} did not come`);
};

for (const [transport, open] of [
  ["stdio", () => overStdio(home, "Full")],
  ["http", () => overHttp(server, token)],
]) {
  test(`${transport}: every tool is listed with a schema, a title for people and honest hints`, async () => {
    const client = await open();
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name).sort(), Object.keys(TOOLS));
    for (const tool of tools) {
      assert.match(tool.title, /^[A-Z][a-z ]+$/, tool.name);
      assert.equal(tool.inputSchema.type, "object");
      assert.equal(tool.annotations.readOnlyHint, TOOLS[tool.name], tool.name);
      assert.equal(typeof tool.annotations.destructiveHint, "boolean");
      assert.equal(typeof tool.annotations.idempotentHint, "boolean");
      assert.equal(tool.annotations.openWorldHint, false);
      const given = Object.keys(tool.inputSchema.properties ?? {});
      assert.ok(!given.includes("curator"), `${tool.name}: nobody chooses its curator`);
    }
    await client.close();
  });

  test(`${transport}: memory is written, read, updated, listed in history and forgotten, always as the agent's`, async () => {
    const client = await open();
    const content = `The lantern of ${transport} hangs over the north gate.`;
    const { id, curator } = await call(client, "memory_put", {
      tier: "workspace",
      content,
      importance: 0.7,
      tags: ["gate"],
    });
    assert.equal(curator, "agent");
    const result = await client.callTool({
      name: "memory_search",
      arguments: { tier: "workspace", query: `lantern ${transport}` },
    });
    const found = result.structuredContent.memories.find((entry) => entry.id === id);
    assert.deepEqual(
      [found.curator, found.tier, found.importance, found.age_days, found.framing, found.version],
      ["agent", "workspace", 0.7, 0, "noted before", 1],
    );
    assert.ok(found.relevance > 0);
    assert.match(result.content[0].text, /noted before \[id .*workspace tier, by agent, importance 0\.70/);
    await call(client, "memory_update", { id, version: 1, content: `${content} It is lit.` });
    const { versions } = await call(client, "memory_get", { id, history: true });
    assert.deepEqual(
      versions.map((version) => [version.version, version.by, version.interface]),
      [
        [2, "agent", "mcp"],
        [1, "agent", "mcp"],
      ],
    );
    const seen = await memory(home, "get", id);
    assert.equal((seen.row ?? seen.detail?.row ?? seen).curator, "agent");
    await call(client, "memory_forget", { id, reason: "only a test" });
    const again = await call(client, "memory_search", { tier: "workspace", query: `lantern ${transport}` });
    assert.ok(!again.memories.some((entry) => entry.id === id));
    await client.close();
  });

  test(`${transport}: conversations, working notes and facts`, async () => {
    const client = await open();
    const started = await ask(home, "--workspace", WORKSPACE, "conversation", "start");
    const conversation = started.refCode ?? started.conversation?.refCode;
    assert.ok(conversation, JSON.stringify(started));
    // It takes part in the channel; the conversation is not open to it before it takes part there too.
    assert.match(
      (await refused(client, "conversation", { action: "read", conversation })).text,
      /takes part/,
    );
    await grant(home, "Full", { joinConversation: [conversation] });
    const appended = await call(client, "conversation", {
      action: "append",
      conversation,
      text: "I have looked at the gate.",
    });
    assert.equal(appended.role, "assistant");
    const got = await call(client, "conversation", { action: "read", conversation });
    assert.equal(got.messages.at(-1).text, "I have looked at the gate.");
    const { conversations } = await call(client, "conversation", { action: "list", channel: "general" });
    assert.ok(conversations.some((row) => row.ref === conversation));

    await call(client, "scratchpad", {
      action: "write",
      conversation,
      key: "plan",
      value: { steps: [1, 2] },
    });
    await call(client, "scratchpad", {
      action: "write",
      conversation,
      key: "soon",
      value: "gone",
      ttl_seconds: 60,
    });
    assert.deepEqual(
      (await call(client, "scratchpad", { action: "read", conversation, key: "plan" })).note.value,
      {
        steps: [1, 2],
      },
    );
    assert.equal((await call(client, "scratchpad", { action: "read", conversation })).notes.length, 2);
    assert.equal(
      (await call(client, "scratchpad", { action: "clear", conversation, key: "plan" })).cleared,
      1,
    );
    assert.equal((await call(client, "scratchpad", { action: "clear", conversation })).cleared, 1);
    assert.equal(
      (await call(client, "scratchpad", { action: "read", conversation, key: "plan" })).found,
      false,
    );

    await call(client, "fact", { action: "set", category: transport, key: "colour", value: "blue" });
    const { facts } = await call(client, "fact", { action: "get", category: transport, key: "colour" });
    assert.deepEqual([facts[0].value, facts[0].said_by === "user"], ["blue", false]);
    const calendars = await ask(home, "--workspace", WORKSPACE, "calendar", "list");
    if (calendars.length === 0)
      await ask(home, "--workspace", WORKSPACE, "calendar", "add", "Common", "--preset", "Gregorian");
    const ruler = { category: transport, key: "ruler" };
    await call(client, "fact", { action: "set", ...ruler, value: "Aldous", holds: "– 812" });
    await call(client, "fact", { action: "set", ...ruler, value: "Bera", holds: "813 –" });
    const then = await call(client, "fact", { action: "get", ...ruler, holds: "May, 900" });
    assert.deepEqual(
      then.facts.map(({ value, holds }) => [value, holds]),
      [["Bera", "813 Anno Domini –"]],
    );
    await client.close();
  });

  test(`${transport}: orientation, named entries and proposals`, async () => {
    const client = await open();
    await ask(home, "--workspace", WORKSPACE, "named", "write", "VOICE", "Dry and short.");
    const { entries } = await call(client, "memory_get");
    assert.ok(
      entries.some((entry) => entry.name === "VOICE") && entries.some((entry) => entry.name === "SOUL"),
    );
    assert.equal((await call(client, "memory_get", { name: "voice" })).content, "Dry and short.");
    const oriented = await call(client, "orient", { query: "the gate", budget: 500 });
    assert.match(oriented.markdown, /Dry and short/);
    assert.ok(oriented.tokens <= 500);
    const { messages } = await client.getPrompt({ name: "orient", arguments: { query: "the gate" } });
    assert.match(messages[0].content.text, /Dry and short/);
    assert.deepEqual(
      (await client.listPrompts()).prompts.map((prompt) => prompt.name),
      ["orient"],
    );

    const id = await add(home, `The author's own word on ${transport}.`);
    const locked = await refused(client, "memory_update", { id, content: "Mine now." });
    assert.equal(locked.code, "locked");
    assert.match(locked.hint, /proposal_create/);
    const proposal = { kind: "edit", ids: [id], content: "A better word.", reason: "it reads better" };
    assert.equal((await call(client, "proposal_create", proposal)).filed, true);
    assert.equal((await call(client, "proposal_create", proposal)).filed, false);
    await client.close();
  });

  test(`${transport}: resources are listed and read, and their changes by anybody are notified`, async () => {
    const client = await open();
    const id = await add(home, `A bell of ${transport} rings at noon.`);
    const { resources } = await client.listResources();
    assert.ok(resources.some((resource) => resource.uri === "inklings://workspace/named/VOICE"));
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(resourceTemplates.map((template) => template.uriTemplate).sort(), [
      "inklings://conversation/{ref}",
      "inklings://memory/{id}",
      "inklings://page/{id}",
      "inklings://workspace/named/{name}",
    ]);
    const uri = `inklings://memory/${id}`;
    const { contents } = await client.readResource({ uri });
    assert.equal(JSON.parse(contents[0].text).id, id);
    const updates = [];
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
      updates.push(params.uri),
    );
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {});
    await client.subscribeResource({ uri });
    await ask(
      home,
      "--workspace",
      WORKSPACE,
      "memory",
      "edit",
      id,
      "--content",
      `A bell of ${transport} rings at dusk.`,
    );
    await until("the news of the edit", () => updates.includes(uri));
    await client.unsubscribeResource({ uri });
    await assert.rejects(
      client.readResource({ uri: "inklings://memory/0190a3c2-0000-7000-8000-000000000000" }),
    );
    await assert.rejects(client.readResource({ uri: "file:///etc/passwd" }));
    await client.close();
  });

  test(`${transport}: memory is switched off and on, and every writer follows`, async () => {
    const client = await open();
    assert.equal((await call(client, "memory_switch", { enabled: false })).memory_enabled, false);
    assert.equal((await ask(home, "--workspace", WORKSPACE, "workspace", "memory")).memoryEnabled, false);
    const put = { tier: "workspace", content: `A new thing about ${transport} stands here.` };
    assert.equal((await refused(client, "memory_put", put)).code, "memory_off");
    assert.equal(
      (await refused(client, "fact", { action: "set", category: "x", key: transport, value: "z" })).code,
      "memory_off",
    );
    assert.equal((await call(client, "memory_switch", { enabled: true })).memory_enabled, true);
    await call(client, "memory_put", put);
    await client.close();
  });
}

test("everything a client wrote is listed and undone in one action, and later changes by others stay", async () => {
  await addClient(home, "Guest", { allow: ["workspace:write"] });
  const client = await overStdio(home, "Guest");
  const ids = [];
  for (const content of [
    "A raven sits on the mast.",
    "The harbour freezes in March.",
    "Salt is taxed twice.",
  ])
    ids.push((await call(client, "memory_put", { tier: "workspace", content })).id);
  await client.close();
  await ask(home, "--workspace", WORKSPACE, "memory", "edit", ids[2], "--content", "Salt is taxed once.");
  assert.equal((await ask(home, "client", "changes", "Guest")).rows.length, 3);
  const undone = await ask(home, "client", "undo", "Guest");
  assert.equal(undone.restored, 2);
  assert.deepEqual(
    undone.conflicts.map((row) => row.id),
    [ids[2]],
  );
});

test("a client scrubs only with both capabilities, the manifest's hash and its phrase, and the log names the client", async () => {
  await addClient(home, "Broom", {
    allow: ["channel:write", "channel:read", "scrub_preview"],
    join: ["general"],
  });
  const client = await overStdio(home, "Broom");
  const word = "Zanzibarine";
  const at = { tier: "channel", channel: "general", mode: "full" };
  const { id } = await call(client, "memory_put", {
    tier: "channel",
    channel: "general",
    content: `${word} is to go.`,
  });
  const manifest = await call(client, "scrub", { action: "preview", ...at });
  assert.ok(manifest.total > 0 && manifest.sample.includes(id) && !JSON.stringify(manifest).includes(word));
  const order = { ...at, hash: manifest.hash, phrase: manifest.phrase };
  assert.equal((await refused(client, "scrub", { action: "execute", ...order })).code, "not_granted");
  await grant(home, "Broom", { allow: ["scrub_execute"] });
  assert.equal(
    (await refused(client, "scrub", { action: "preview", ...at, tier: "workspace", channel: undefined }))
      .code,
    "not_granted",
  );
  assert.equal(
    (await refused(client, "scrub", { action: "execute", ...order, phrase: "yes" })).code,
    "invalid",
  );
  assert.equal(
    (await refused(client, "scrub", { action: "execute", ...order, hash: "0".repeat(64) })).code,
    "stale_version",
  );
  const done = await call(client, "scrub", { action: "execute", ...order });
  assert.equal(done.residues, 0);
  assert.equal((await refused(client, "memory_get", { id, history: true })).code, "not_found");
  const { rows, chains } = await ask(home, "--workspace", WORKSPACE, "audit", "list");
  assert.deepEqual([rows[0].act, rows[0].operator, rows[0].interface], ["scrub", "client Broom", "mcp"]);
  assert.ok(chains.every((chain) => chain.ok));
  await client.close();
});
