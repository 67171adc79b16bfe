// A conversation through the command line, with a language model that streams, stalls, drops and fails: what is typed
// is never lost, what arrived is kept, and a kill at any moment leaves nothing half there.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ask, binaries, cli, makeHome } from "../lib/app.mjs";
import { startChatServer } from "../lib/chat-server.mjs";
import { doctor, errorOf, listAll, makeWorkspace, WORKSPACE } from "../lib/store.mjs";
import { chatgptExport } from "../lib/third-party.mjs";
import { until } from "../lib/webdriver.mjs";

let home;
before(async () => {
  home = makeHome();
  home.env.INKLINGS_SECRETS = "file";
  await makeWorkspace(home);
});
after(() => home.remove());

const conversation = (...args) => ask(home, "--workspace", WORKSPACE, "conversation", ...args);
const tryConversation = (...args) => cli(home, ["--json", "--workspace", WORKSPACE, "conversation", ...args]);
const start = async (...args) => (await conversation("start", ...args)).refCode;
const shown = async (ref, limit = 500) =>
  (await conversation("show", ref, "--limit", String(limit))).messages;
const connect = (url) => ask(home, "chat", "connect", "--url", url, "--model", "test-model");

/** Runs a test with a scripted model connected. */
async function withModel(script, run) {
  const server = await startChatServer(script);
  try {
    await connect(server.url);
    await run(server);
  } finally {
    await ask(home, "chat", "disconnect");
    await server.stop();
  }
}

test("without a model messages are stored, and the context of the agent can be shown", async () => {
  const ref = await start("--title", "The siege");
  const { message, answer } = await conversation("say", ref, "Who holds the weir?");
  assert.equal(message.content, "Who holds the weir?");
  assert.equal(answer, null);
  const context = await conversation("context", ref);
  assert.deepEqual(
    context.items.map((item) => [item.message.content, item.legs]),
    [["Who holds the weir?", ["recency"]]],
  );
  assert.match(context.prompt, /candidates, not facts/);
});

test("an answer is streamed from the model and stored with its tool calls", async () => {
  const put = { tier: "workspace", content: "The abbess holds the weir.", importance: 0.8 };
  await withModel(
    [
      { calls: [{ id: "c1", name: "memory_put", arguments: put }] },
      { text: ["The abbess ", "holds ", "it."], pauseMs: 20 },
    ],
    async (server) => {
      const ref = await start();
      const { answer, error } = await conversation("say", ref, "The abbess holds the weir. Remember that.");
      assert.equal(error, null);
      assert.equal(answer.content, "The abbess holds it.");
      const messages = await shown(ref);
      assert.deepEqual(
        messages.map((m) => m.role),
        ["user", "assistant", "tool", "assistant"],
      );
      assert.equal(messages[1].calls[0].name, "memory_put");
      const remembered = (await listAll(home)).find((row) => row.preview === put.content);
      assert.equal(remembered.curator, "agent");
      // The model was shown what was said, and the answer of its tool.
      const second = server.requests[1].body.messages;
      assert.equal(second.at(-1).role, "tool");
    },
  );
});

test("a conversation gets its title from the model, a branch shares its beginning, and tokens are counted", async () => {
  await withModel(
    [
      { text: ["The abbess."], usage: { input: 40, output: 3 } },
      { text: ["Title: ", "The weir of Veyra"], usage: { input: 20, output: 5 } },
      { text: ["Nobody does."], usage: { input: 30, output: 2 } },
    ],
    async (server) => {
      const ref = await start();
      await conversation("say", ref, "Who **holds** the weir?");
      const titled = (await conversation("list", "--limit", "500")).rows.find((row) => row.refCode === ref);
      assert.equal(titled.title, "The weir of Veyra");
      const branch = await conversation("branch", ref, "--at", "2");
      assert.deepEqual([branch.continues.refCode, branch.sharesThrough], [ref, 1]);
      const { answer } = await conversation("say", branch.refCode, "And who held it before?");
      assert.equal(answer.content, "Nobody does.");
      assert.deepEqual(
        (await shown(branch.refCode)).map((message) => message.content),
        ["Who **holds** the weir?", "And who held it before?", "Nobody does."],
      );
      assert.deepEqual(
        server.requests[2].body.messages.filter(({ role }) => role === "user").map(({ content }) => content),
        ["Who **holds** the weir?\n\nAnd who held it before?"],
        "some endpoints refuse two messages of one role in a row",
      );
      assert.equal((await shown(ref)).length, 2, "the conversation stays as it is");
      assert.equal((await tryConversation("branch", ref, "--at", "9")).code, 1);
      await conversation("model", ref, "another");
      await connect("http://127.0.0.1:9/v1");
      const lost = errorOf(await tryConversation("say", ref, "Are you there?"));
      assert.equal(lost.code, "model_unavailable");
      assert.match(lost.message, /names the model another at/);
      const used = await ask(home, "chat", "tokens");
      const mine = used.find((row) => row.address === server.url);
      assert.deepEqual([mine.model, mine.answers, mine.input, mine.output], ["test-model", 3, 90, 10]);
    },
  );
});

test("a dead endpoint, a refusal and a broken connection never lose the typed message", async () => {
  const ref = await start();
  await connect("http://127.0.0.1:9/v1");
  const dead = await tryConversation("say", ref, "first");
  assert.equal(dead.code, 1);
  assert.equal(errorOf(dead).code, "model_unavailable");
  await withModel([{ status: 401 }, { text: ["It began ", "at dawn"], drop: "end" }], async () => {
    assert.equal((await tryConversation("say", ref, "second")).code, 1);
    assert.equal((await tryConversation("say", ref, "third")).code, 1);
  });
  const messages = await shown(ref);
  assert.deepEqual(
    messages.map((m) => [m.role, m.content, m.delivery]),
    [
      ["user", "first", "complete"],
      ["assistant", "", "failed"],
      ["user", "second", "complete"],
      ["assistant", "", "failed"],
      ["user", "third", "complete"],
      ["assistant", "It began at dawn", "failed"],
    ],
  );
});

test("kill -9 while an answer streams keeps the typed message and the received part", async () => {
  const pieces = Array.from({ length: 400 }, (_, n) => `word${n} `);
  await withModel(
    [
      { text: pieces, pauseMs: 10 },
      { text: pieces, pauseMs: 10 },
    ],
    async () => {
      for (const delay of [900, 1_700]) {
        const ref = await start();
        const child = spawn(
          binaries.cli,
          ["--workspace", WORKSPACE, "conversation", "say", ref, `Tell me everything (${delay})`],
          { env: home.env, stdio: "ignore" },
        );
        const gone = new Promise((resolve) => child.on("close", (_, signal) => resolve(signal)));
        await until("the answer to arrive", async () => {
          const [, answer] = await shown(ref);
          return answer?.content.length > delay / 20;
        });
        child.kill("SIGKILL");
        assert.equal(await gone, "SIGKILL");
        const [question, answer] = await shown(ref);
        assert.equal(question.content, `Tell me everything (${delay})`);
        assert.match(answer.content, /^word0 word1 /);
        assert.equal((await doctor(home)).code, 0);
      }
    },
  );
});

test("kill -9 at any moment of a compaction leaves archive and marker, or neither", async () => {
  const ref = await start("--title", "Long talk");
  for (let n = 0; n < 30; n++) {
    await conversation(
      "say",
      ref,
      "--no-answer",
      `In the year ${1400 + n} Captain Oskar Lind counted ${n} barges.`,
    );
  }
  const began = performance.now();
  await conversation("compact", ref, "--retain", "20", "--preview");
  const whole = performance.now() - began;
  let cut = 0;
  for (let point = 0; point < 20; point++) {
    const args = ["--workspace", WORKSPACE, "conversation", "compact", ref, "--retain", "2"];
    const child = spawn(binaries.cli, args, { env: home.env, stdio: "ignore" });
    const gone = new Promise((resolve) => child.on("close", (_, signal) => resolve(signal)));
    await sleep((whole * (point + 0.5)) / 18);
    child.kill("SIGKILL");
    if ((await gone) === "SIGKILL") cut++;
    const messages = await shown(ref);
    const markers = messages.filter((m) => m.marker !== null);
    const archives = (await listAll(home)).filter((row) => row.kind === "archive");
    assert.deepEqual(
      archives.map((row) => row.id).sort(),
      markers.map((m) => m.marker.archiveId).sort(),
      `point ${point}`,
    );
    assert.equal(messages.filter((m) => m.marker === null).length, 30 + point, "the originals stay");
    await conversation("say", ref, "--no-answer", `And line ${point} after that, about the weir.`);
  }
  assert.ok(cut > 0, "no compaction was cut short");
  assert.equal((await doctor(home)).code, 0);
});

test("two processes write one conversation, and nothing is lost", async () => {
  const ref = await start();
  const write = async (who) => {
    for (let n = 0; n < 20; n++) await conversation("say", ref, "--no-answer", `${who} ${n}`);
  };
  await Promise.all([write("first"), write("second"), write("third")]);
  const messages = await shown(ref);
  assert.equal(messages.length, 60);
  assert.deepEqual(
    messages.map((m) => m.position),
    Array.from({ length: 60 }, (_, n) => n + 1),
  );
  for (const who of ["first", "second", "third"]) {
    const texts = messages.map((m) => m.content).filter((text) => text.startsWith(who));
    assert.deepEqual(
      texts,
      Array.from({ length: 20 }, (_, n) => `${who} ${n}`),
      "each in its own order",
    );
  }
});

test("a conversation is ended, continued in another and archived; invalid transitions are refused with the reason", async () => {
  const ref = await start("--title", "Market day");
  await conversation("say", ref, "--no-answer", "The eel seller cheats.");
  assert.equal((await conversation("idle", ref)).status, "idle");
  const again = await tryConversation("idle", ref);
  assert.equal(again.code, 1);
  assert.equal(errorOf(again).code, "invalid");
  assert.equal((await tryConversation("say", ref, "--no-answer", "more")).code, 1);
  const next = await conversation("continue", ref);
  assert.equal(next.continues.refCode, ref);
  await conversation("archive", ref);
  const listed = (await conversation("list", "--limit", "500")).rows.map((row) => row.refCode);
  assert.ok(!listed.includes(ref) && listed.includes(next.refCode));
  const find = async (...args) => (await conversation("search", "eel seller cheats", ...args)).hits.length;
  assert.equal(await find(), 0);
  assert.equal(await find("--archived"), 1);
  assert.equal((await tryConversation("show", "NoSuchCode0")).code, 1);
  assert.equal((await tryConversation("delete", ref)).code, 2, "deleting asks");
});

test("a key is stored in a file readable by its owner only, and never shown", async () => {
  const key = "sk-very-secret-123456";
  const server = await startChatServer([{ text: ["Yes."] }]);
  const args = ["--json", "chat", "connect", "--url", server.url, "--model", "test-model", "--key-stdin"];
  const connected = await cli(home, args, { input: key });
  assert.equal(connected.code, 0, connected.stderr);
  assert.ok(!connected.stdout.includes(key) && connected.json.hasKey);
  const ref = await start();
  await conversation("say", ref, "Are you there?");
  assert.equal(server.requests.at(-1).headers.authorization, `Bearer ${key}`);
  const gone = await ask(home, "chat", "disconnect", "--forget-key");
  assert.equal(gone.endpoint, null);
  await server.stop();
});

test("an export of another program is imported completely and once, and a broken one not at all", async () => {
  const file = join(home.path, "conversations.json");
  writeFileSync(file, JSON.stringify(chatgptExport(30)));
  const preview = await conversation("import", file, "--preview");
  assert.deepEqual([preview.format, preview.newConversations, preview.messages], ["chatgpt", 30, 120]);
  const before = (await conversation("list", "--limit", "500")).rows.length;
  assert.equal((await conversation("import", file)).conversations, 30);
  assert.equal((await conversation("import", file)).conversations, 0, "the second time nothing is new");
  assert.equal((await conversation("list", "--limit", "500")).rows.length, before + 30);
  assert.equal((await conversation("search", "heron king tale 7", "--limit", "5")).hits.length, 5);
  writeFileSync(file, JSON.stringify(chatgptExport(31, "still ")));
  const again = await conversation("import", file);
  assert.deepEqual([again.conversations, again.updated], [1, 30], "changed texts are brought up to date");
  const text = JSON.stringify(chatgptExport(40));
  writeFileSync(file, text.slice(0, text.length - 500));
  const broken = await tryConversation("import", file);
  assert.equal(broken.code, 1);
  assert.equal(errorOf(broken).code, "invalid");
  assert.equal(
    (await conversation("list", "--limit", "500")).rows.length,
    before + 31,
    "nothing of it is there",
  );
});
