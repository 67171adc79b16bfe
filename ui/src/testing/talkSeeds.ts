import type { ConversationStatus, MessageView, Role, ToolCall } from "../ipc/bindings.gen";
import { idOf } from "./store";

/** Conversations for tests and the harness, never shipped. */
export type TalkSeed = {
  ref: string;
  channel: string;
  title: string;
  status: ConversationStatus;
  /** Hours since the last word. */
  age: number;
  continues?: string;
  turns: Turn[];
};

type Turn = {
  role: Role;
  text: string;
  importance?: number;
  calls?: ToolCall[];
  tool?: MessageView["tool"];
  delivery?: MessageView["delivery"];
  marker?: string;
  speaker?: string;
};

const you = (text: string): Turn => ({ role: "user", text });
const agent = (text: string, more: Partial<Turn> = {}): Turn => ({ role: "assistant", text, ...more });

const LEDGER: Turn[] = [
  you("Let's talk about the lantern fair. What do the Lanternmen want from it?"),
  agent(
    "Three things, and they would only admit to the first:\n\n1. **Dues.** Every flame on the water that night pays them.\n2. **A count.** The fair is the only night on which every boat shows itself.\n3. The ledger, if it still exists.",
  ),
  you("The missing ledger again. Who had it last?"),
  agent("", {
    calls: [{ id: "c1", name: "memory_read", arguments: '{"query":"missing ledger","limit":5}' }],
  }),
  {
    role: "tool",
    text: '{"candidates":[{"id":"01910000-0000-7000-8000-000000000009","tier":"workspace","curator":"author","importance":0.42,"noted_before":"Bram was seen near the causeway with the missing ledger."}]}',
    tool: { callId: "c1", name: "memory_read" },
  },
  agent(
    "The last who was *seen* with it is Bram, on the causeway. Corentin says otherwise, and Corentin is rarely wrong about such things. So one of them is lying, or there are two ledgers.",
  ),
  { role: "system", text: "What was said so far was summarised.", marker: "the lantern fair, first evening" },
  you("Two ledgers. Yes. The council's copy, and the one the Lanternmen keep. What differs between them?"),
  agent(
    "The second clause of the charter is struck through in the council's copy. If the ledgers follow the charters, the council's ledger has no column for shadows:\n\n> No flame on the water but ours, and no shadow on the quay unaccounted.\n\nThe Lanternmen's own would still count them. So the missing ledger is worth stealing for one reason: it says **who stood on the quay without a light**.",
  ),
  { ...you("That is the whole plot. Remember it."), importance: 0.9 },
  agent("", {
    calls: [
      {
        id: "c2",
        name: "memory_put",
        arguments:
          '{"tier":"channel","content":"The missing ledger lists who stood on the quay without a light.","importance":0.8}',
      },
    ],
  }),
  {
    role: "tool",
    text: JSON.stringify({ remembered: idOf(6) }),
    tool: { callId: "c2", name: "memory_put" },
  },
  agent("Kept, in this channel. Shall we decide who is on that page?"),
  you("Not yet. The clerk who copies it: “Gregor” will not do."),
  agent(
    "Then Anselm. It sits well beside Ysolde and Pell, and it is a name a careful mother would choose, which makes the copying",
    { delivery: "cancelled" },
  ),
];

const FACE: Turn[] = [
  you("Can a forgotten face be bound back?"),
  agent(
    "By the rule you set, tide-binding costs *a memory of equal weight*. To bind a face back you would have to pay with another face. It could be done, and nobody would call it a gift.",
  ),
  you("Leaning towards no, then. It is better if it stays lost."),
  agent("I agree. Thirteen knots is the most anyone has tied; a face back would need a fourteenth."),
];

export const TALKS: TalkSeed[] = [
  {
    ref: "k3T9wPq2LxA",
    channel: "ch-harbour",
    title: "What the Lanternmen want from the fair",
    status: "active",
    age: 0.4,
    turns: LEDGER,
  },
  {
    ref: "Zb71mNc0QeR",
    channel: "ch-magic",
    title: "Whether a face can be bound back",
    status: "idle",
    age: 27,
    turns: FACE,
  },
  {
    ref: "p0Qw8sVn4Yt",
    channel: "ch-general",
    title: "Chapter four, from the lighthouse to the causeway",
    status: "active",
    age: 5,
    turns: [
      you("Chapter four opens at the lighthouse. Where does the storm start?"),
      agent("One scene earlier than planned: while Marguerite is still counting gulls."),
      you("Good. And how does she get to the causeway without a boat?"),
      agent("", { delivery: "failed" }),
    ],
  },
  {
    ref: "aa19xKd7Lmb",
    channel: "ch-harbour",
    title: "",
    status: "active",
    age: 52,
    turns: [you("What would a Ropewalker swear on?"), agent("On rope. Never on a blade or a book.")],
  },
  {
    ref: "Qe55hT2rWcz",
    channel: "ch-general",
    title: "The first draft, session one",
    status: "archived",
    age: 900,
    turns: [
      { ...you("Here is the pitch: a town built on the roofs of the town before it."), speaker: "Alba" },
      agent("Then every cellar is someone's old attic."),
    ],
  },
];

const TOPICS = [
  "the tide tables",
  "names for streets",
  "the council stair",
  "Tobin's debts",
  "a map by walking",
];
const LINES = [
  "What if the bell is the cause, and the storm only the custom?",
  "Then the sexton would be the most careful person in Saltmere. He *is*, in your notes.",
  "Give me three street names for the ropewalk quarter.",
  "**Tar Lane**, **Little Hawser**, and **the Bight**. The last is where it floods.",
  "How long does the causeway stay open at spring tide?",
  "Four hours less than the neap. Letters from the capital are late for that reason, and people blame the moon.",
];

/** More conversations, the same ones every time. */
export function generatedTalks(count: number): TalkSeed[] {
  return Array.from({ length: count }, (_, n) => ({
    ref: `gen${String(n).padStart(8, "0")}`,
    channel: ["ch-harbour", "ch-general", "ch-magic"][n % 3] as string,
    title: `On ${TOPICS[n % TOPICS.length]}, ${n + 1}`,
    status: n % 4 === 3 ? "archived" : n % 2 === 0 ? "idle" : "active",
    age: 60 + n * 7,
    turns: generatedTurns(6),
  }));
}

/** A long back and forth. */
export function generatedTurns(count: number): Turn[] {
  return Array.from({ length: count }, (_, n) => ({
    role: n % 2 === 0 ? "user" : "assistant",
    text: `${LINES[n % LINES.length]}${n % 9 === 8 ? `\n\nAnd, for the record of turn ${n + 1}: nobody has crossed at night since the war ended, and those who say they did were seen elsewhere.` : ""}`,
  }));
}
