import type { MessageView, ToolCall } from "../../../ipc/bindings.gen";

/** One row of a transcript. */
export type Item =
  | { kind: "day"; key: string; iso: string }
  | { kind: "fold"; key: string; count: number; through: number }
  | {
      kind: "turn";
      key: string;
      message: MessageView;
      opens: boolean;
      /** The message that the ledger of this answer is kept with. */
      ledger: string;
    }
  | { kind: "tool"; key: string; message: MessageView; call: ToolCall; result: MessageView | null }
  | { kind: "attachment"; key: string; message: MessageView }
  | { kind: "marker"; key: string; message: MessageView }
  | { kind: "answering"; key: string }
  | { kind: "unanswered"; key: string }
  | { kind: "silence"; key: string };

export type Shape = {
  /** Whether what a marker stands for is shown all the same. */
  unfolded: boolean;
  /** Whether earlier messages wait to be loaded. */
  earlier: boolean;
  answering: boolean;
  /** What stands in the place of an answer that is not there, if anything. */
  instead: "silence" | "unanswered" | null;
};

const dayOf = (iso: string) => new Date(iso).toDateString();

/** The latest marker among the loaded messages. */
export function latestMarker(messages: readonly MessageView[]) {
  return messages.findLast((it) => it.marker !== null)?.marker ?? null;
}

/**
 * The answer of each call. Answers follow the message that calls; an id is unique in that message at best, because some
 * models count their calls anew in every answer.
 */
function answersOf(messages: readonly MessageView[]) {
  const answers = new Map<ToolCall, MessageView>();
  let open: ToolCall[] = [];
  for (const message of messages) {
    if (message.calls.length > 0) open = [...message.calls];
    const call = message.tool && open.find((it) => it.id === message.tool?.callId);
    if (!call) continue;
    answers.set(call, message);
    open = open.filter((it) => it !== call);
  }
  return answers;
}

/** Whether a conversation that ends with this message waits for no answer. A turn that ends among its tools gave none. */
function isAnswered({ role, calls, delivery }: MessageView): boolean {
  if (role === "assistant") return calls.length === 0 || delivery !== "complete";
  return role === "system";
}

/** Lays messages out as rows: days between them, tools folded to a line, what was compacted behind a door. */
export function itemsOf(messages: readonly MessageView[], shape: Shape): Item[] {
  const items: Item[] = [];
  const answers = answersOf(messages);
  const paired = new Set(answers.values());
  const marker = shape.unfolded ? null : latestMarker(messages);
  const hidden = marker?.through ?? -1;
  const first = messages[0]?.position ?? 0;
  // Where the originals were deleted there is nothing behind the door.
  if (marker && (shape.earlier || first <= hidden)) {
    const start = shape.earlier ? 1 : first;
    items.push({ kind: "fold", key: "fold", count: hidden - start + 1, through: hidden });
  }
  let day = "";
  let speaker = "";
  // One answer may be several messages: each but the last calls tools, and the ledger is kept with the first.
  let ledger = "";
  let goesOn = false;
  for (const message of messages) {
    if (message.role !== "tool") {
      if (!goesOn || message.role === "user") ledger = message.id;
      goesOn = message.calls.length > 0;
    }
    if (message.position <= hidden) continue;
    const at = message.saidAt ?? message.at;
    if (message.marker) {
      items.push({ kind: "marker", key: message.id, message });
      speaker = "";
      continue;
    }
    if (dayOf(at) !== day) {
      day = dayOf(at);
      speaker = "";
      // Whether the day begins here is not known before the page in front is. Its row would move away when that comes, and
      // with it what the place in the transcript is told by.
      if (!shape.earlier || items.length > 0) items.push({ kind: "day", key: `day-${message.id}`, iso: at });
    }
    if (message.attachedName !== null) {
      items.push({ kind: "attachment", key: message.id, message });
      speaker = "";
      continue;
    }
    if (message.role === "tool") {
      const { tool } = message;
      if (paired.has(message)) continue;
      const call = { id: tool?.callId ?? message.id, name: tool?.name ?? "", arguments: "" };
      items.push({ kind: "tool", key: message.id, message, call, result: message });
      continue;
    }
    const bare = message.content === "" && message.delivery === "complete" && message.calls.length > 0;
    if (!bare) {
      const who = `${message.role}:${message.speaker ?? ""}`;
      items.push({ kind: "turn", key: message.id, message, opens: who !== speaker, ledger });
      speaker = who;
    }
    for (const [n, call] of message.calls.entries()) {
      const result = answers.get(call) ?? null;
      items.push({ kind: "tool", key: `${message.id}-${n}`, message, call, result });
    }
  }
  const last = messages.at(-1);
  if (shape.answering && last?.delivery !== "streaming") items.push({ kind: "answering", key: "answering" });
  else if (shape.instead && last && !isAnswered(last) && !shape.answering)
    items.push({ kind: shape.instead, key: shape.instead });
  return items;
}
