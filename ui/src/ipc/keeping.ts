/**
 * Commands and types of named entries, orientation, proposals, runs, tasks and the journal, by hand until the core
 * generates them. Then this file goes: `ipc/keeping"` becomes `ipc/bindings.gen"` everywhere, and `client.ts`,
 * `events.ts` and `mock.ts` lose the line that spreads it.
 */
import { invoke } from "@tauri-apps/api/core";
import { type Event, emit, listen } from "@tauri-apps/api/event";
import type {
  MemoryDetail as BareDetail,
  ChangeTopic as BareTopic,
  ChangeAction,
  Contribution,
  Curator,
  Door,
  Hand,
  MemoryRow,
  Scope,
} from "./bindings.gen";

export type ChangeTopic = BareTopic | "proposals" | "runs" | "orientations";
export type MemoryDetail = BareDetail & { aliases: string[] };

export type NamedEntryView = {
  id: string;
  name: string;
  aliases: string[];
  scope: Scope;
  content: string;
  placeholder: string;
  standing: boolean;
  curator: Curator;
  version: number;
  tokens: number;
  createdAt: string;
  editedAt: string | null;
};
export type NamedWritten = { entry: NamedEntryView; changeId: string };
export type NewNamedEntry = { scope: Scope; name: string; content: string };

export type OrientationLayer =
  | "named"
  | "facts"
  | "episodes"
  | "earlier"
  | "conversation"
  | "channel"
  | "workspace"
  | "account";
export type LeftOutRule = "budget" | "limit" | "repeats" | "refined";
export type OrientationKind = "memory" | "fact" | "episode" | "message";
export type OrientationItem = {
  layer: OrientationLayer;
  kind: OrientationKind;
  id: string;
  label: string;
  curator: Curator | null;
  importance: number | null;
  relevance: number | null;
  ageDays: number | null;
  tokens: number;
  taken: boolean;
  shortened: boolean;
  rule: LeftOutRule | null;
  repeats: string | null;
  score: number | null;
  parts: Contribution[];
};
export type LayerBudget = {
  layer: OrientationLayer;
  budget: number;
  used: number;
  taken: number;
  leftOut: number;
  failed: boolean;
};
export type OrientationView = {
  id: string | null;
  conversationId: string | null;
  messageId: string | null;
  query: string;
  at: string;
  budget: number;
  tokens: number;
  layers: LayerBudget[];
  items: OrientationItem[];
  thinned: boolean;
  markdown: string | null;
};
export type OrientationSummary = {
  id: string;
  messageId: string | null;
  query: string;
  at: string;
  tokens: number;
  budget: number;
  taken: number;
  leftOut: number;
};
export type OrientationPage = { rows: OrientationSummary[]; next: string | null };
export type OrientRequest = {
  conversation: string | null;
  channelId: string | null;
  query: string;
  budget: number | null;
};
export type OrientationShares = {
  facts: number;
  episodes: number;
  earlier: number;
  conversation: number;
  channel: number;
  workspace: number;
  account: number;
};
export type OrientationSettings = { budget: number; shares: OrientationShares; refine: boolean };

export type ProposalKind = "edit" | "merge" | "retire" | "conflict";
export type ProposalState = "open" | "accepted" | "rejected" | "superseded";
export type ProposalSubject = {
  id: string;
  version: number;
  row: MemoryRow | null;
  content: string;
  changedSince: boolean;
};
export type MarkKind = "name" | "number" | "negation";
export type Mark = { kind: MarkKind; text: string };
export type ProposalView = {
  id: string;
  kind: ProposalKind;
  state: ProposalState;
  reason: string;
  subjects: ProposalSubject[];
  content: string | null;
  lost: Mark[];
  added: Mark[];
  filedBy: Hand;
  door: Door;
  runId: string | null;
  conversationId: string | null;
  conversationRef: string | null;
  createdAt: string;
  decidedAt: string | null;
};
export type Decision =
  | { kind: "accept" }
  | { kind: "accept_edited"; content: string }
  | { kind: "reject" }
  | { kind: "newer_wins" }
  | { kind: "older_wins" };
export type ProposalPage = { rows: ProposalView[]; next: string | null };
export type ProposalList = { state: ProposalState | null; after: string | null; limit: number };
export type Decided = {
  decided: ProposalView[];
  failed: { id: string; message: string }[];
  changeIds: string[];
};

export type RunState = "running" | "done" | "cancelled" | "failed" | "reverted";
export type RunTrigger = "asked" | "idle" | "queue" | "closed" | "startup";
export type RunCounts = {
  scanned: number;
  promoted: number;
  faded: number;
  merged: number;
  capped: number;
  rewritten: number;
  created: number;
  proposed: number;
};
export type RunView = {
  id: string;
  task: string;
  state: RunState;
  trigger: RunTrigger;
  startedAt: string;
  finishedAt: string | null;
  done: number;
  total: number;
  counts: RunCounts;
  error: string | null;
  revertedAt: string | null;
};
export type RunAct = "promoted" | "faded" | "merged" | "capped" | "rewritten" | "created";
export type RunItem = { act: RunAct; row: MemoryRow; into: string | null; reason: string };
export type RunPage = { rows: RunView[]; next: string | null };
export type ConsolidationPreview = { counts: RunCounts; items: RunItem[] };
export type Reverted = { run: RunView; restored: number; conflicts: MemoryRow[] };
export type RunProgress = { run: RunView; stage: string };
export type ConsolidationSettings = {
  automatic: boolean;
  idleMinutes: number;
  queueDepth: number;
  cap: number;
  rewrite: boolean;
};

export type TaskOutcome = "done" | "failed" | "panicked" | "cancelled";
export type TaskView = {
  name: string;
  title: string;
  everyMinutes: number | null;
  lastStartedAt: string | null;
  lastFinishedAt: string | null;
  outcome: TaskOutcome | null;
  message: string | null;
  running: boolean;
  nextDueAt: string | null;
};
export type JournalView = {
  changeId: string;
  scope: "account" | "workspace";
  action: ChangeAction;
  hand: Hand;
  door: Door;
  runId: string | null;
  at: string;
  entries: number;
  undoes: string | null;
  undoneBy: string | null;
};
export type JournalPage = { rows: JournalView[]; next: string | null };

export const keepingCommands = {
  getMemory: (id: string) => invoke<MemoryDetail>("get_memory", { id }),
  listNamedEntries: () => invoke<NamedEntryView[]>("list_named_entries"),
  addNamedEntry: (request: NewNamedEntry) => invoke<NamedWritten>("add_named_entry", { request }),
  writeNamedEntry: (id: string, version: number, content: string) =>
    invoke<NamedWritten>("write_named_entry", { id, version, content }),
  renameNamedEntry: (id: string, version: number, name: string) =>
    invoke<NamedWritten>("rename_named_entry", { id, version, name }),
  aliasNamedEntry: (id: string, version: number, alias: string, rebind: boolean) =>
    invoke<NamedWritten>("alias_named_entry", { id, version, alias, rebind }),
  removeNamedEntry: (id: string, version: number) => invoke<string>("remove_named_entry", { id, version }),
  orient: (request: OrientRequest) => invoke<OrientationView>("orient", { request }),
  listOrientations: (conversation: string, after: string | null, limit: number) =>
    invoke<OrientationPage>("list_orientations", { conversation, after, limit }),
  getOrientation: (id: string) => invoke<OrientationView>("get_orientation", { id }),
  orientationSettings: () => invoke<OrientationSettings>("orientation_settings"),
  setOrientationSettings: (settings: OrientationSettings) =>
    invoke<OrientationSettings>("set_orientation_settings", { settings }),
  listProposals: (request: ProposalList) => invoke<ProposalPage>("list_proposals", { request }),
  countProposals: () => invoke<number>("count_proposals"),
  decideProposals: (ids: string[], decision: Decision) =>
    invoke<Decided>("decide_proposals", { ids, decision }),
  listRuns: (after: string | null, limit: number) => invoke<RunPage>("list_runs", { after, limit }),
  runItems: (id: string) => invoke<RunItem[]>("run_items", { id }),
  previewConsolidation: () => invoke<ConsolidationPreview>("preview_consolidation"),
  runConsolidation: () => invoke<RunView>("run_consolidation"),
  cancelRun: () => invoke<null>("cancel_run"),
  revertRun: (id: string) => invoke<Reverted>("revert_run", { id }),
  consolidationSettings: () => invoke<ConsolidationSettings>("consolidation_settings"),
  setConsolidationSettings: (settings: ConsolidationSettings) =>
    invoke<ConsolidationSettings>("set_consolidation_settings", { settings }),
  listTasks: () => invoke<TaskView[]>("list_tasks"),
  runTask: (name: string) => invoke<TaskView>("run_task", { name }),
  listChanges: (hand: Hand | null, after: string | null, limit: number) =>
    invoke<JournalPage>("list_changes", { hand, after, limit }),
};

export const keepingEvents = {
  runProgress: {
    listen: (cb: (event: Event<RunProgress>) => void) => listen<RunProgress>("run-progress", cb),
    emit: (payload: RunProgress) => emit("run-progress", payload),
  },
};
