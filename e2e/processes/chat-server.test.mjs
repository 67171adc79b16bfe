// The double that stands in for a language model does what its scripts say.
import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultAnswer, startChatServer } from "../lib/chat-server.mjs";

const question = {
  model: "test-model",
  stream: true,
  messages: [{ role: "user", content: "Wer spricht, Ysolde?" }],
};

const start = async (t, script) => {
  const server = await startChatServer(script);
  t.after(server.stop);
  const ask = (signal) =>
    fetch(`${server.url}/chat/completions`, { method: "POST", body: JSON.stringify(question), signal });
  return { ...server, ask };
};

const events = (text) =>
  text
    .split("\n\n")
    .filter((event) => event.startsWith("data: {"))
    .map((event) => JSON.parse(event.slice(6)));
const textOf = (chunks) => chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");

const until = async (holds) => {
  for (let tries = 0; !holds(); tries += 1) {
    assert.ok(tries < 200, "it never came true");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

test("without a script the answer is always the same and mentions the length of the question", async (t) => {
  const { ask, requests, url } = await start(t);
  for (let times = 0; times < 2; times += 1) {
    const body = await (await ask()).text();
    assert.equal(textOf(events(body)), "Your last message has 20 characters.");
    assert.ok(body.endsWith("data: [DONE]\n\n"));
  }
  assert.equal(textOf(events(await (await ask()).text())), defaultAnswer(question));
  assert.deepEqual(requests[0].body, question);
  assert.equal(requests[0].path, "/v1/chat/completions");
  const models = await (await fetch(`${url}/models`)).json();
  assert.deepEqual(models.data, [{ id: "test-model", object: "model" }]);
  assert.equal(requests.length, 3);
});

test("replies are played in turn: pieces, tool calls in parts, cost, reasons, errors", async (t) => {
  const { ask } = await start(t, [
    { text: ["one ", "two"], pauseMs: 5, usage: { input: 7, output: 2 }, finish: "length", done: false },
    { calls: [{ id: "c1", name: "find", arguments: { query: "ferry" } }] },
    { status: 429, retryAfter: 3 },
    ({ body }) => ({ text: body.model }),
    { text: "x", raw: "data: {oops\n\n" },
  ]);
  const first = await (await ask()).text();
  assert.equal(textOf(events(first)), "one two");
  assert.equal(events(first).at(-1).usage.prompt_tokens, 7);
  assert.equal(events(first).at(-2).choices[0].finish_reason, "length");
  assert.ok(!first.includes("[DONE]"));

  const chunks = events(await (await ask()).text());
  const parts = chunks.flatMap(({ choices }) => choices[0].delta.tool_calls ?? []);
  assert.ok(parts.length > 2);
  assert.equal(parts[0].function.name, "find");
  assert.deepEqual(JSON.parse(parts.map((part) => part.function.arguments).join("")), { query: "ferry" });
  assert.equal(chunks.at(-1).choices[0].finish_reason, "tool_calls");

  const refused = await ask();
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "3"]);
  assert.equal(textOf(events(await (await ask()).text())), "test-model");
  assert.match(await (await ask()).text(), /data: \{oops\n\n/);
});

test("a connection can be cut before or in the middle of an answer", async (t) => {
  const { ask } = await start(t, [{ drop: "start" }, { text: "half", drop: "end" }]);
  await assert.rejects(ask());
  const response = await ask();
  await assert.rejects(response.text());
});

test("a stalled answer waits until the client disconnects, and notices it", async (t) => {
  const { ask, requests } = await start(t, [{ text: "half", stall: "end" }, { stall: "start" }]);
  const stop = new AbortController();
  const response = await ask(stop.signal);
  const { value } = await response.body.getReader().read();
  assert.ok(value.length > 0);
  assert.equal(requests[0].hungUp, false);
  stop.abort();
  await until(() => requests[0].hungUp);
  await assert.rejects(ask(AbortSignal.timeout(50)));
  await until(() => requests[1].hungUp);
});
