// A language model for the end-to-end suites: chat completions over HTTP on the loopback address, by script.
// Every POST plays the next reply of the script; when it is over, a deterministic answer that mentions how long the
// last message of the user is. GET …/models lists one model.
//
// A reply is an object, all of it optional, or a function of the request that returns one:
//   text: "…" | ["…", …]          pieces of the answer (without: the deterministic one, unless there are calls)
//   calls: [{ id, name, arguments }]   tool calls, each split over several deltas; arguments: object or text
//   pauseMs: 20                   pause before each piece
//   stall: "start" | "end"        never begin; say the pieces and then nothing more, without closing
//   drop: "start" | "end"         the same, but the connection is cut
//   status: 429, retryAfter: 1, message: "…"     an error instead of an answer
//   finish: "length", done: false, usage: { input, output }
//   raw: "data: {oops\n\n"        sent as it is after the pieces
import { createServer } from "node:http";

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const asList = (value) => (Array.isArray(value) ? value : [value]);
const asText = (value) => (typeof value === "string" ? value : JSON.stringify(value ?? {}));

/** What the server says when no script tells it otherwise. */
export function defaultAnswer(body) {
  const lastMessage = (body?.messages ?? []).filter(({ role }) => role === "user").at(-1)?.content ?? "";
  const text =
    typeof lastMessage === "string"
      ? lastMessage
      : asList(lastMessage)
          .map((part) => part.text ?? "")
          .join("");
  return `Your last message has ${[...text].length} characters.`;
}

const inThirds = (text) => {
  const size = Math.max(1, Math.ceil(text.length / 3));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  );
};

function* deltasOf(reply, body) {
  const text = reply.text ?? (reply.calls ? [] : defaultAnswer(body).split(/(?<= )/));
  for (const content of asList(text)) yield { content };
  for (const [index, call] of (reply.calls ?? []).entries()) {
    const { id = `call_${index}`, name } = call;
    yield { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] };
    for (const part of inThirds(asText(call.arguments))) {
      yield { tool_calls: [{ index, function: { arguments: part } }] };
    }
  }
}

async function play(reply, request, response) {
  const gone = () => response.destroyed || response.closed;
  const halt = (when) => {
    if (reply.drop === when) response.destroy();
    return reply.drop === when || reply.stall === when;
  };
  if (halt("start")) return;
  if (reply.status && reply.status !== 200) {
    const headers = { "content-type": "application/json" };
    if (reply.retryAfter !== undefined) headers["retry-after"] = String(reply.retryAfter);
    response.writeHead(reply.status, headers);
    response.end(
      JSON.stringify({ error: { message: reply.message ?? "no reason given", type: "scripted" } }),
    );
    return;
  }
  const event = (data) => response.write(`data: ${JSON.stringify(data)}\n\n`);
  const chunk = (delta, reason = null) =>
    event({ object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: reason }] });
  response.writeHead(200, { "content-type": "text/event-stream" });
  chunk({ role: "assistant", content: "" });
  for (const delta of deltasOf(reply, request.body)) {
    if (reply.pauseMs) await pause(reply.pauseMs);
    if (gone()) return;
    chunk(delta);
  }
  if (reply.raw) response.write(reply.raw);
  if (reply.drop === "end") await new Promise((resolve) => response.write(": last words\n\n", resolve));
  if (halt("end")) return;
  chunk({}, reply.finish ?? (reply.calls ? "tool_calls" : "stop"));
  if (reply.usage) {
    const { input, output } = reply.usage;
    event({
      choices: [],
      usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    });
  }
  if (reply.done !== false) response.write("data: [DONE]\n\n");
  response.end();
}

/**
 * Starts the server. `requests` grows with every POST: { path, headers, body, hungUp }, where `hungUp` turns true
 * when the client leaves before the end. `url` is the base address to enter, `/v1` included.
 */
export async function startChatServer(script = []) {
  const requests = [];
  const replies = [...script];
  const server = createServer((incoming, response) => {
    const parts = [];
    incoming.on("data", (part) => parts.push(part));
    incoming.on("end", async () => {
      if (incoming.method === "GET") {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ object: "list", data: [{ id: "test-model", object: "model" }] }));
        return;
      }
      let body = null;
      try {
        body = JSON.parse(Buffer.concat(parts).toString("utf8"));
      } catch {
        // Recorded as null: what was sent is the client's affair.
      }
      const request = { path: incoming.url, headers: incoming.headers, body, hungUp: false };
      response.on("close", () => {
        request.hungUp = !response.writableFinished;
      });
      requests.push(request);
      const next = replies.shift() ?? {};
      await play(typeof next === "function" ? next(request) : next, request, response);
    });
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
