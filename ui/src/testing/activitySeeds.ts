import type { Door, Hand, JournalView, Mark, ProposalView, TaskView } from "../ipc/bindings.gen";
import { type Entry, HOUR, idOf } from "./store";

const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();
const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

type Filed = Pick<ProposalView, "kind" | "reason"> & {
  /** Numbers of the entries it is about. */
  about: number[];
  content?: string;
  /** The text as it was when it was filed, where that differs from now. */
  once?: string;
  lost?: Mark[];
  added?: Mark[];
  more?: Partial<ProposalView>;
};

const FILED: Filed[] = [
  {
    kind: "edit",
    about: [8],
    reason: "The worldbuilder said in the conversation that she came the winter before.",
    content:
      "Marguerite Vane has kept the lighthouse at Corrow Head for thirty-two years and has set foot on a ship only once, as a child in Inner Fenwick.",
    lost: [
      { kind: "number", text: "thirty-one" },
      { kind: "negation", text: "never" },
    ],
    added: [
      { kind: "number", text: "thirty-two" },
      { kind: "name", text: "Inner Fenwick" },
    ],
  },
  {
    kind: "conflict",
    about: [13, 35],
    reason: "One says that the bell rings before a storm, the other that it never has.",
    more: { filedBy: "system", door: "task", runId: "run-4", conversationId: null, conversationRef: null },
  },
  {
    kind: "merge",
    about: [25, 26],
    reason: "Both are the price and the limit of a binding, and are recalled together.",
    content:
      "Tide-binding costs a memory of equal weight: the name of a street for a small binding, a face for a great one. It holds for as many tides as it has knots; thirteen is the most anyone has tied.",
    lost: [{ kind: "name", text: "their own name" }],
    more: { filedBy: "system", door: "task", runId: "run-4", conversationId: null, conversationRef: null },
  },
  {
    kind: "retire",
    about: [15],
    reason: "Prices were dropped from the second draft; nothing has asked for this in eleven weeks.",
    more: { filedBy: "agent", door: "mcp", conversationId: null, conversationRef: null },
  },
  {
    kind: "edit",
    about: [23],
    reason: "To say whom an oath binds.",
    once: "A Ropewalker swears on rope. A knot left unfinished is a lie told.",
    content:
      "A Ropewalker swears on rope, and the oath binds the guild. A knot left unfinished is a lie told.",
  },
  {
    kind: "edit",
    about: [9],
    reason: "Glass was ruled out in the talk about weapons.",
    content:
      "Iron rusts within a day below the tide line, so blades there are made of whalebone or old bronze.",
    more: { state: "rejected", decidedAt: ago(100) },
  },
];

/** A sentence for the account that may be about a world, as a program put it. */
export const DOUBTFUL: ProposalView = {
  id: "proposal-new",
  kind: "new",
  state: "open",
  reason: "this may be about a world, or about how you work",
  subjects: [],
  content: "Wants every chapter of a war to open with a letter from a soldier.",
  makes: { scope: "account", source: "Editor", importance: 0.5, tags: [], row: null },
  lost: [],
  added: [],
  filedBy: "agent",
  door: "mcp",
  runId: null,
  conversationId: null,
  conversationRef: null,
  createdAt: ago(0.1),
  decidedAt: null,
};

/** What waits in the inbox, and what was decided before. */
export function proposalSeeds(entries: Map<string, Entry>): ProposalView[] {
  return FILED.flatMap((it, n): ProposalView[] => {
    const about = it.about.flatMap((number) => entries.get(idOf(number)) ?? []);
    if (about.length < it.about.length) return [];
    return [
      {
        id: `proposal-${n + 1}`,
        kind: it.kind,
        state: "open",
        reason: it.reason,
        subjects: about.map(({ detail }) => ({
          id: detail.row.id,
          version: it.once === undefined ? detail.row.version : detail.row.version - 1,
          row: null,
          content: it.once ?? detail.content,
          changedSince: false,
        })),
        content: it.content ?? null,
        makes: null,
        lost: it.lost ?? [],
        added: it.added ?? [],
        filedBy: "agent",
        door: "window",
        runId: null,
        conversationId: "conv-p0Qw8sVn4Yt",
        conversationRef: "p0Qw8sVn4Yt",
        createdAt: ago(2 + n * 9),
        decidedAt: null,
        ...it.more,
      },
    ];
  });
}

export function taskSeeds(): TaskView[] {
  const task = (name: string, title: string, more: Partial<TaskView> = {}): TaskView => ({
    name,
    title,
    everyMinutes: null,
    lastStartedAt: ago(3),
    lastFinishedAt: ago(2.99),
    outcome: "done",
    message: null,
    running: false,
    nextDueAt: null,
    ...more,
  });
  return [
    task("embed", "Make new memories findable by meaning", {
      lastStartedAt: ago(0.2),
      lastFinishedAt: ago(0.19),
    }),
    task("summarise", "Summarise old turns into episodes", {
      everyMinutes: 360,
      outcome: "failed",
      message: "The language model did not answer.",
      nextDueAt: soon(150),
    }),
    task("persist", "Keep what a conversation found out", {
      lastStartedAt: ago(27),
      lastFinishedAt: ago(26.9),
    }),
    task("consolidate", "Tidy what is remembered", { everyMinutes: 1440, nextDueAt: soon(1260) }),
    task("thin", "Thin old orientation ledgers", {
      everyMinutes: 1440,
      lastStartedAt: null,
      lastFinishedAt: null,
      outcome: null,
      nextDueAt: soon(30),
    }),
  ];
}

const HANDS: [Hand, Door][] = [
  ["agent", "window"],
  ["author", "window"],
  ["system", "task"],
  ["agent", "mcp"],
  ["author", "cli"],
  ["import", "cli"],
];
const ACTIONS: Record<Hand, JournalView["action"][]> = {
  agent: ["create", "edit", "create"],
  author: ["edit", "create", "forget", "restore"],
  system: ["edit", "forget"],
  import: ["import"],
};

/** Half a year of writes, the same ones every time. */
export function journalSeeds(): JournalView[] {
  return Array.from({ length: 260 }, (_, n): JournalView => {
    const [hand, door] = HANDS[(n * 5 + Math.floor(n / 7)) % HANDS.length] ?? ["agent", "window"];
    const actions = ACTIONS[hand];
    return {
      changeId: `old-${n + 1}`,
      scope: n % 9 === 4 ? "account" : "workspace",
      action: actions[n % actions.length] ?? "edit",
      hand,
      door,
      runId: hand === "system" ? "run-4" : null,
      at: ago(0.6 + n * 3.4 + (n % 7) * 0.3),
      entries: hand === "import" ? 40 + n : hand === "system" ? 3 : 1,
      undoes: null,
      undoneBy: n === 6 ? "old-5" : null,
    };
  });
}
