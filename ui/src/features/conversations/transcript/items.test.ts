import { expect, test } from "vitest";
import type { MessageView } from "../../../ipc/bindings.gen";
import { type Item, itemsOf, type Shape } from "./items";
import { flatten } from "./useTranscript";

const AT = "2026-11-21T09:15:00Z";
const SHAPE: Shape = { unfolded: false, earlier: false, answering: false, instead: "silence" };
const call = (id: string, name: string): Partial<MessageView> => ({
  role: "assistant",
  calls: [{ id, name, arguments: "{}" }],
});
const answer = (callId: string, name: string): Partial<MessageView> => ({
  role: "tool",
  content: "{}",
  tool: { callId, name },
});

/** A conversation with two calls of tools, and with a marker that stands for the first four messages. */
const ledger = (): MessageView[] =>
  [
    { content: "What do the Lanternmen want from the fair?" },
    { role: "assistant", content: "Three things." } as const,
    { content: "Who had the ledger last?" },
    call("c1", "memory_search"),
    answer("c1", "memory_search"),
    { role: "assistant", content: "Bram." } as const,
    {
      role: "system",
      marker: { archiveId: "archive", archiveName: "the fair", archivedAt: AT, through: 4 },
    } as const,
    { content: "Two ledgers." },
    { role: "assistant", content: "The second clause differs." } as const,
    { content: "Remember it." },
    call("c2", "memory_put"),
    answer("c2", "memory_put"),
    { role: "assistant", content: "Kept." } as const,
  ].map((message, n) => ({
    id: `m${n + 1}`,
    conversationId: "conversation",
    position: n + 1,
    role: "user",
    content: "",
    importance: 0.5,
    delivery: "complete",
    tool: null,
    calls: [],
    marker: null,
    speaker: null,
    saidAt: null,
    at: AT,
    updatedAt: AT,
    consolidatedAt: null,
    attachedName: null,
    tokens: 10,
    ...message,
  }));
const kinds = (items: Item[]) => items.map((it) => it.kind);

test("compacted messages are collapsed behind a button with their count", () => {
  const messages = ledger();
  const [first] = itemsOf(messages, SHAPE);
  expect(first).toMatchObject({ kind: "fold", count: 4 });
  expect(kinds(itemsOf(messages, { ...SHAPE, unfolded: true }))).not.toContain("fold");
});

test("there is no button for compacted messages that were deleted", () => {
  const messages = ledger().filter((it) => it.position > 4);
  expect(kinds(itemsOf(messages, SHAPE))).not.toContain("fold");
  // They may still wait to be loaded.
  expect(itemsOf(messages, { ...SHAPE, earlier: true })[0]).toMatchObject({ kind: "fold", count: 4 });
});

test("a call and its answer are one line, and a turn of calls only is no turn", () => {
  const items = itemsOf(ledger(), { ...SHAPE, unfolded: true });
  const tools = items.filter((it) => it.kind === "tool");
  expect(tools).toHaveLength(2);
  expect(tools.every((it) => it.kind === "tool" && it.result !== null)).toBe(true);
  expect(items.every((it) => it.kind !== "turn" || it.message.role !== "tool")).toBe(true);
});

test("an answer that used tools has its ledger with the message that began it", () => {
  const messages = ledger();
  const items = itemsOf(messages, { ...SHAPE, unfolded: true });
  for (const item of items) {
    if (item.kind !== "turn" || item.message.role !== "assistant") continue;
    const asked = messages.findLastIndex((it) => it.role === "user" && it.position < item.message.position);
    expect(item.ledger).toBe(messages[asked + 1]?.id);
  }
  expect(items.some((it) => it.kind === "turn" && it.ledger !== it.message.id)).toBe(true);
});

test("no unanswered marker is shown while an answer is running", () => {
  const messages = ledger().slice(0, 1);
  expect(kinds(itemsOf(messages, SHAPE)).at(-1)).toBe("silence");
  expect(kinds(itemsOf(messages, { ...SHAPE, answering: true })).at(-1)).toBe("answering");
  expect(kinds(itemsOf(messages, { ...SHAPE, instead: null })).at(-1)).toBe("turn");
});

test("a turn that ended among its tools is not answered", () => {
  const ends = (length: number, shape: Partial<Shape> = {}) =>
    kinds(itemsOf(ledger().slice(0, length), { ...SHAPE, ...shape, instead: "unanswered" })).at(-1);
  // Behind the call, behind its answer, and behind the words.
  expect([4, 5, 6].map((length) => ends(length))).toEqual(["unanswered", "unanswered", "turn"]);
  expect(ends(5, { answering: true })).toBe("answering");
  const stopped = ledger().slice(0, 4);
  const last = { ...(stopped[3] as MessageView), delivery: "cancelled" as const };
  const shape = { ...SHAPE, instead: "unanswered" as const };
  expect(kinds(itemsOf([...stopped.slice(0, 3), last], shape))).not.toContain("unanswered");
});

test("the first visible row stays first when an earlier page is inserted", () => {
  const later = ledger().slice(8);
  const [top] = itemsOf(later, { ...SHAPE, earlier: true, unfolded: true });
  const whole = itemsOf(ledger(), { ...SHAPE, unfolded: true });
  expect(whole.map((it) => it.key)).toContain(top?.key);
  expect(whole[0]?.kind).toBe("day");
});

test("overlapping pages show no message twice", () => {
  const messages = ledger();
  const page = (from: number, to: number) => ({
    messages: messages.slice(from, to),
    earlier: false,
    later: false,
  });
  expect(flatten([page(0, 6), page(4, 10)]).map((it) => it.position)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ]);
});

test("calls with equal ids in different answers keep their own answers", () => {
  const [message] = ledger();
  const blank = ledger().find((it) => it.role === "assistant");
  if (!message || !blank) throw new Error("the talk has turns");
  const round = (n: number) => [
    { ...message, id: `said-${n}`, position: n * 3 + 1, calls: [], tool: null },
    {
      ...blank,
      id: `calls-${n}`,
      position: n * 3 + 2,
      content: "",
      tool: null,
      calls: [{ id: "call_0", name: "memory_put", arguments: "{}" }],
    },
    {
      ...blank,
      id: `answer-${n}`,
      position: n * 3 + 3,
      role: "tool" as const,
      content: `answer ${n}`,
      calls: [],
      tool: { callId: "call_0", name: "memory_put" },
    },
  ];
  const items = itemsOf([...round(0), ...round(1)], { ...SHAPE, unfolded: true });
  const answers = items.flatMap((it) => (it.kind === "tool" ? [it.result?.content] : []));
  expect(answers).toEqual(["answer 0", "answer 1"]);
});
