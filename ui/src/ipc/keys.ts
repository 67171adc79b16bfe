import type { QueryKey } from "@tanstack/react-query";
import type {
  ActorKind,
  AgentActionFilter,
  ChangeTopic,
  ConversationStatus,
  DecayRates,
  DocumentKind,
  DriftState,
  LensSpec,
  MemoryFilter,
  MessageSearchRequest,
  OrientRequest,
  ProposalState,
  Sort,
  TickRequest,
  WhyRequest,
} from "./bindings.gen";

/** Every query key of the window. */
/** Whose reads: those of a conversation, or of a client. */
export type ReadsOf = { conversation?: string; client?: string };

export const keys = {
  status: ["status"] as const,
  updateStatus: ["updateStatus"] as const,
  workspaces: ["workspaces"] as const,
  channels: ["channels"] as const,
  settings: ["settings"] as const,
  /** Settings of this computer. The shell says when they change. */
  shell: ["shell"] as const,
  models: ["models"] as const,
  modelStatus: ["modelStatus"] as const,
  decayPreview: (rates: DecayRates) => ["decayPreview", rates] as const,
  memories: ["memories"] as const,
  list: (filter: MemoryFilter, sort: Sort) => ["memoryList", filter, sort] as const,
  lists: ["memoryList"] as const,
  search: (query: string, filter: MemoryFilter) => ["memories", "search", query, filter] as const,
  searches: ["memories", "search"] as const,
  documents: (query: string, kind: DocumentKind, lens: LensSpec | null, limit: number) =>
    ["memories", "documents", query, kind, lens, limit] as const,
  searchSettings: ["searchSettings"] as const,
  scopeCounts: (filter: MemoryFilter) => ["memories", "scopes", filter] as const,
  facetCounts: (filter: MemoryFilter, query: string | null) => ["memories", "facets", filter, query] as const,
  /** Memories as whole texts, of a list or as they were chosen. */
  reading: (request: object) => ["memories", "reading", request] as const,
  detail: (id: string) => ["memories", "detail", id] as const,
  history: (id: string) => ["memories", "history", id] as const,
  curve: (id: string) => ["memories", "curve", id] as const,
  /** Everything about conversations but what was said in them. */
  conversations: ["conversations"] as const,
  conversationList: (channelId: string | null, statuses: readonly ConversationStatus[]) =>
    ["conversations", "list", channelId, statuses] as const,
  conversation: (ref: string) => ["conversations", "one", ref] as const,
  branches: (ref: string) => ["conversations", "branches", ref] as const,
  /** Everything that stands in or beside a transcript, but the pages of the transcript itself. */
  conversationParts: ["conversation"] as const,
  transcript: (ref: string, at: number | undefined) => ["transcript", ref, at ?? "end"] as const,
  transcripts: ["transcript"] as const,
  context: (ref: string) => ["conversation", "context", ref] as const,
  notes: (ref: string | null) => ["conversation", "notes", ref] as const,
  episodes: (ref: string) => ["conversation", "episodes", ref] as const,
  facts: (asOf: string | null) => ["conversation", "facts", asOf] as const,
  allFacts: ["conversation", "facts", "all"] as const,
  /** The times of facts are written by a calendar, which is a memory. */
  factsOfAll: ["conversation", "facts"] as const,
  factHistories: ["conversation", "factHistory"] as const,
  factHistory: (id: string) => ["conversation", "factHistory", id] as const,
  messageSearch: (request: MessageSearchRequest) => ["conversation", "search", request] as const,
  messageSearches: ["conversation", "search"] as const,
  compaction: (ref: string) => ["conversation", "compaction", ref] as const,
  conversationMemories: (id: string) => ["memories", "ofConversation", id] as const,
  chat: ["chat"] as const,
  runningModels: ["runningModels"] as const,
  endpointModels: (address: string) => ["endpointModels", address] as const,
  tokenUsage: ["tokenUsage"] as const,
  conversationSettings: ["conversationSettings"] as const,
  named: ["named"] as const,
  /** Subjects, and what is linked to them, are memories. */
  subjects: ["memories", "subjects"] as const,
  /** Reads thousands of texts, so a change of memory does not ask for it again. */
  suggestions: ["suggestions"] as const,
  subject: (id: string) => ["memories", "subject", id] as const,
  graph: (lens: LensSpec | null) => ["memories", "graph", lens] as const,
  /** Calendars and times in the story are memories too. */
  calendars: ["memories", "calendars"] as const,
  timeline: (request: { within: string | null; kind: string | null }) =>
    ["memories", "timeline", request] as const,
  ticks: (request: TickRequest) => ["memories", "ticks", request] as const,
  chapters: ["memories", "chapters"] as const,
  date: (text: string, calendar: string | null) => ["memories", "date", text, calendar] as const,
  /** Names of subjects and chapters are memories, too. */
  lens: (lens: LensSpec) => ["memories", "lens", lens] as const,
  /** What a link by a name leads to. */
  link: (name: string, lens: LensSpec | null) => ["memories", "link", name, lens] as const,
  links: ["memories", "link"] as const,
  mentions: (name: string) => ["memories", "mentions", name] as const,
  orientations: ["orientations"] as const,
  orientationList: (ref: string) => ["orientations", "list", ref] as const,
  orientation: (id: string) => ["orientations", "one", id] as const,
  reads: (of: ReadsOf) => ["orientations", "reads", of] as const,
  orient: (request: OrientRequest) => ["orient", request] as const,
  oriented: ["orient"] as const,
  why: (request: WhyRequest) => ["orient", "why", request] as const,
  orientationSettings: ["orientationSettings"] as const,
  proposals: ["proposals"] as const,
  proposalCount: ["proposals", "count"] as const,
  proposalList: (state: ProposalState | null) => ["proposals", "list", state] as const,
  drifts: ["drifts"] as const,
  driftCount: ["drifts", "count"] as const,
  driftList: (state: DriftState | null) => ["drifts", "list", state] as const,
  recallTests: ["recallTests"] as const,
  savedSearches: ["savedSearches"] as const,
  agentTelemetry: ["agentTelemetry"] as const,
  agentActions: (filter: AgentActionFilter) => ["agentTelemetry", "actions", filter] as const,
  agentActionLists: ["agentTelemetry", "actions"] as const,
  agentPatterns: ["agentTelemetry", "patterns"] as const,
  agentMetrics: (days: number) => ["agentTelemetry", "metrics", days] as const,
  agentSequences: (query: string) => ["agentTelemetry", "sequences", query] as const,
  agentTelemetrySettings: ["agentTelemetry", "settings"] as const,
  runs: ["runs"] as const,
  runList: ["runs", "list"] as const,
  runItems: (id: string) => ["runs", "items", id] as const,
  runPreview: ["runPreview"] as const,
  tasks: ["runs", "tasks"] as const,
  journal: (actorKind: ActorKind | null) => ["journal", actorKind] as const,
  consolidationSettings: ["consolidationSettings"] as const,
  memoryEnabled: ["memoryEnabled"] as const,
  overview: ["overview"] as const,
  audit: ["audit"] as const,
  backups: ["backups"] as const,
  backupSettings: ["backupSettings"] as const,
  damaged: ["damaged"] as const,
  clients: ["clients"] as const,
  pages: ["pages"] as const,
  vaults: ["pages", "vaults"] as const,
  vaultSkips: (id: string) => ["pages", "skips", id] as const,
  pageList: (vault: string | null) => ["pages", "list", vault] as const,
  pagesFound: (query: string, vault: string | null) => ["pages", "found", query, vault] as const,
  promotionPage: ["pages", "promotionPage"] as const,
  promotion: (id: string, page: string) => ["pages", "promotion", id, page] as const,
  page: (id: string) => ["pages", "one", id] as const,
  clientChanges: (id: string) => ["clientChanges", id] as const,
  clientsChanges: ["clientChanges"] as const,
  mcp: ["mcp"] as const,
  snippets: (id: string, token: string | null) => ["clientSnippets", id, token] as const,
};

/** The entry that a query shows in full, if it is one of these. */
export const entryOf = ([subject, part, id]: QueryKey): string | undefined =>
  subject === "memories" && part === "detail" ? String(id) : undefined;

/** Which queries tell of vectors: not those of versions and of fading. */
const OF_VECTORS = ["search", "scopes", "facets", "detail"].map((part) => [...keys.memories, part] as const);

/** What a change touches that is read page by page. What is on screen of it listens to changes and reads its pages in view. */
export const refreshedByPage: Partial<Record<ChangeTopic, QueryKey>> = {
  memories: keys.lists,
  // How memories fade is a setting.
  settings: keys.lists,
  transcript: keys.transcripts,
};

/**
 * Which queries a change of a topic makes stale. The paged memory list, the transcript and the journal are missing on
 * purpose: they refresh what is in view only (`usePagedMemories.ts`, `useTranscript.ts`, `useJournal.ts`).
 */
export const staleAfter: Record<ChangeTopic, readonly QueryKey[]> = {
  memories: [
    keys.memories,
    keys.channels,
    keys.modelStatus,
    keys.status,
    keys.conversations,
    keys.named,
    // A proposal shows what it is about as that is now, and an orientation the labels of what was shown.
    keys.proposals,
    keys.orientations,
    keys.oriented,
    // A test shows the labels of what it expects, and the names of its lens.
    keys.recallTests,
    // An action shows the label of its target.
    keys.agentActionLists,
    // What was written may contradict something, or no longer do so.
    keys.drifts,
    keys.overview,
    keys.clients,
    keys.clientsChanges,
    keys.factsOfAll,
    keys.factHistories,
  ],
  // A conversation that is deleted takes the actions in it.
  channels: [keys.channels, keys.conversations, keys.recallTests, keys.drifts, keys.agentTelemetry],
  workspaces: [keys.workspaces, keys.status, keys.clients],
  settings: [
    keys.settings,
    keys.status,
    ["decayPreview"],
    // How memories fade is a setting.
    ["memories", "curve"],
    ["memories", "detail"],
    keys.chat,
    keys.conversationSettings,
    keys.orientationSettings,
    keys.consolidationSettings,
    keys.backupSettings,
    keys.memoryEnabled,
    keys.mcp,
    keys.oriented,
    // The order of results is a setting.
    keys.searchSettings,
    keys.savedSearches,
    keys.searches,
    keys.messageSearches,
  ],
  // What a search finds depends on the model and on how many vectors are there.
  models: [keys.models, keys.modelStatus, keys.status, ...OF_VECTORS],
  // Messages, facts and working notes are among what a client wrote.
  transcript: [
    keys.conversationParts,
    keys.conversations,
    keys.oriented,
    // A test may expect facts, and a fact may be a side of a contradiction.
    keys.recallTests,
    keys.drifts,
    keys.clients,
    keys.clientsChanges,
  ],
  // Contradictions have no topic of their own.
  proposals: [keys.proposals, keys.drifts],
  runs: [keys.runs, keys.overview],
  orientations: [keys.orientations],
  recall_tests: [keys.recallTests],
  // Pages stand among the subjects, and links lead to them.
  pages: [keys.pages, keys.links, keys.subjects, ["memories", "subject"], ["memories", "graph"]],
  // An action shows the name of its client.
  clients: [keys.clients, keys.clientsChanges, keys.agentTelemetry],
  agent_telemetry: [keys.agentTelemetry],
};
