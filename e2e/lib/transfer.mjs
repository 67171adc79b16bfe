// Files in our own form, made row by row.
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

const AT = "2026-01-02T03:04:05.000000Z";
const BLOCK = 1 << 20;
/** Messages of one conversation. */
const PER_CONVERSATION = 500;
const PHRASE = "and the tide came in over the lower stair ";

/** An id that nobody else makes: of a kind and a number. */
export const idOf = (kind, n) =>
  `0190aaaa-${kind.toString(16).padStart(4, "0")}-7000-8000-${n.toString(16).padStart(12, "0")}`;

const entry = (kind, n, scope, content) => ({
  id: idOf(kind, n),
  scope,
  lifetime: "long_term",
  curator: "author",
  kind: "note",
  importance: 0.5,
  source: "author",
  version: 1,
  written_by: "author",
  created_at: AT,
  accessed_at: AT,
  updated_at: AT,
  content,
});

/**
 * Writes an export of a workspace and the account: so many entries of each, and so many messages, each
 * text of about `bytes` bytes made of a phrase. Every row has a field that no release knows, and so has the file.
 */
export function writeOwn(path, { account, workspace, messages, bytes = 100, phrase = PHRASE }) {
  const file = openSync(path, "w");
  let waiting = "";
  const put = (text, end = false) => {
    waiting += text;
    if (waiting.length < BLOCK && !end) return;
    writeSync(file, waiting);
    waiting = "";
  };
  const filler = phrase.repeat(Math.ceil(bytes / phrase.length));
  const text = (what, n) => `${what} ${n}: ${filler}`.slice(0, Math.max(bytes, 24)).trim();
  const section = (name, count, row) => {
    put(`,\n"${name}":[`);
    for (let n = 0; n < count; n++) put(`${n ? ",\n" : "\n"}${JSON.stringify({ ...row(n), zeal: n })}`);
    put("\n]");
  };
  put(`{"schema_version":1,"exported_at":"${AT}","scope":{"account":true,"workspace":true},\n"channels":[]`);
  section("conversations", Math.ceil(messages / PER_CONVERSATION), (n) => ({
    id: idOf(3, n),
    channel_id: "default",
    ref_code: n ? `Talk${String(n).padStart(7, "0")}` : "TheGateTalk",
    title: `The gate, day ${n}`,
    status: "idle",
    started_at: AT,
    ended_at: AT,
    active_at: AT,
    last_position: Math.min(PER_CONVERSATION, messages - n * PER_CONVERSATION),
  }));
  section("memories", account + workspace, (n) =>
    n < account
      ? entry(1, n, "account", text("Habit", n))
      : entry(2, n - account, "workspace", text("Remark", n - account)),
  );
  section("messages", messages, (n) => ({
    id: idOf(4, n),
    conversation_id: idOf(3, Math.floor(n / PER_CONVERSATION)),
    position: (n % PER_CONVERSATION) + 1,
    role: n % 2 ? "assistant" : "user",
    delivery: "complete",
    importance: 0.5,
    at: AT,
    updated_at: AT,
    content: text("Word", n),
  }));
  put(',\n"zeal":{"of":["a","later","release"]}}\n', true);
  closeSync(file);
}

/** An export without the moment at which it was written. */
export const timeless = (path) => readFileSync(path, "utf8").replace(/"exported_at":"[^"]*"/, "");
