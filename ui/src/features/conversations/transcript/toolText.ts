import type { MessageView, ToolCall } from "../../../ipc/bindings.gen";

/** What a tool is for, in the words of the window. */
export type Purpose =
  | "remember"
  | "change"
  | "forget"
  | "look"
  | "note"
  | "readNote"
  | "clearNotes"
  | "fact"
  | "lookFact"
  | "other";

/** What became of a call, by its answer alone: `asked` where no answer says. */
export type Outcome = "done" | "failed" | "proposed" | "claimed" | "asked";

export type CallSummary = {
  purpose: Purpose;
  outcome: Outcome;
  /** What the call was about, in its own words; may be empty. */
  about: string;
  /** Why it did not happen. */
  reason: string;
  /** How many were found or cleared. */
  count: number | null;
  /** The memory that was made or changed. */
  memory: string | null;
  /** The proposal that was filed in place of a change. */
  proposal: string | null;
};

type Fields = Record<string, unknown>;

type Tool = { purpose: Purpose; done: string; about: readonly string[] };

/**
 * Each tool of the World Agent, with its action where it has several: its purpose, and the field that its answer has when
 * it was done.
 */
const TOOLS: Record<string, Tool> = {
  memory_search: { purpose: "look", done: "candidates", about: ["query"] },
  memory_put: { purpose: "remember", done: "remembered", about: ["content"] },
  memory_update: { purpose: "change", done: "updated", about: ["content", "reason"] },
  memory_forget: { purpose: "forget", done: "forgotten", about: ["reason"] },
  "scratchpad write": { purpose: "note", done: "written", about: ["key"] },
  "scratchpad read": { purpose: "readNote", done: "", about: ["key"] },
  "scratchpad clear": { purpose: "clearNotes", done: "cleared", about: ["key"] },
  "fact set": { purpose: "fact", done: "set", about: ["category", "key", "value"] },
  "fact get": { purpose: "lookFact", done: "facts", about: ["category", "key"] },
};

/** Names that tools had earlier: they stand in kept conversations. */
const EARLIER: Record<string, string> = {
  memory_read: "memory_search",
  scratchpad_write: "scratchpad write",
  scratchpad_read: "scratchpad read",
  scratchpad_clear: "scratchpad clear",
  fact_set: "fact set",
  fact_get: "fact get",
};

/** The tool of a call, if it is known. */
function toolOf(name: string, asked: Fields | null): Tool | undefined {
  const action = word(asked?.action);
  return TOOLS[EARLIER[name] ?? name] ?? (action === null ? undefined : TOOLS[`${name} ${action}`]);
}

function fieldsOf(text: string | undefined): Fields | null {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;
  } catch {
    return null;
  }
}

const word = (value: unknown) => (typeof value === "string" ? value : null);

function countOf(value: unknown): number | null {
  if (Array.isArray(value)) return value.length;
  return typeof value === "number" ? value : null;
}

/** Reads what became of a call. A success is told only where the answer says so. */
export function describeCall(call: ToolCall, result: MessageView | null): CallSummary {
  const asked = fieldsOf(call.arguments);
  const tool = toolOf(call.name, asked);
  const purpose = tool?.purpose ?? "other";
  const about = (tool?.about ?? []).map((name) => word(asked?.[name])).filter((part) => part !== null);
  const answer = fieldsOf(result?.content);
  const reason = word(answer?.error) ?? "";
  const found = tool && answer ? answer[tool.done] : undefined;
  const read = purpose === "readNote" && answer !== null && ("keys" in answer || "key" in answer);
  const proposed = answer !== null && "proposed" in answer;
  const outcome: Outcome =
    reason !== ""
      ? "failed"
      : proposed
        ? "proposed"
        : answer?.claimed === true
          ? "claimed"
          : read || (found !== undefined && found !== null && found !== false)
            ? "done"
            : tool === undefined && result !== null
              ? "done"
              : "asked";
  const made = purpose === "remember" || purpose === "change" || purpose === "forget";
  const changed = purpose === "remember" ? null : word(asked?.id);
  return {
    purpose,
    outcome,
    about: about.join(purpose === "fact" ? ": " : ", "),
    reason,
    count: countOf(found),
    memory: !made || outcome === "failed" ? null : (word(found) ?? changed),
    proposal: word(answer?.proposed),
  };
}
