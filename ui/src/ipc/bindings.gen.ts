// Replaced by the file that the Rust side generates; the shapes are the contract's.
import { invoke } from "@tauri-apps/api/core";
import * as __E from "@tauri-apps/api/event";

export type Scope = "account" | "workspace" | "channel" | "conversation";
export type Lifetime = "long_term" | "short_term" | "conversation";
export type Curator = "agent" | "author" | "import";
export type Hand = "author" | "agent" | "import" | "system";
export type Kind = "note" | "archive";
export type Door = "window" | "cli" | "task" | "mcp";
export type MemoryRow = { id: string; scope: Scope; lifetime: Lifetime; curator: Curator; source: string; kind: Kind; name: string | null; preview: string; importance: number; relevance: number; tags: string[]; createdAt: string; updatedAt: string; accessedAt: string; accessCount: number; channelId: string | null; channelName: string | null; conversationId: string | null; conversationRef: string | null; pinned: boolean; version: number; hasEmbedding: boolean; forgottenAt: string | null };
export type Origin = { externalId: string | null; session: string | null; speaker: string | null; saidAt: string | null };
export type Forgotten = { at: string; reason: string; runId: string | null };
export type MemoryDetail = { row: MemoryRow; content: string; writtenBy: Hand; origin: Origin | null; embeddingModel: string | null; forgotten: Forgotten | null; consolidatedInto: string | null; locked: boolean };
export type Facet = "source" | "curator" | "lifetime" | "tag" | "importance" | "embedding" | "forgotten" | "speaker";
export type FacetTerm = { facet: Facet; value: string; negated: boolean };
export type Sort = "updated_desc" | "created_desc" | "created_asc" | "importance_desc";
export type MemoryFilter = { scope: Scope | null; channelId: string | null; conversationId: string | null; terms: FacetTerm[] };
export type ListRequest = { filter: MemoryFilter; sort: Sort; after: string | null; limit: number };
export type MemoryPage = { rows: MemoryRow[]; next: string | null };
export type SearchRequest = { query: string; filter: MemoryFilter; limit: number; strategy: string | null };
export type ListName = "text" | "meaning" | "freshness" | "nearness" | "name";
export type Contribution = { list: ListName; rank: number; raw: number; weight: number; score: number };
export type Span = { start: number; end: number };
export type Explanation = { contributions: Contribution[]; matchedTerms: string[]; relevance: number; hoursIdle: number; retention: number; frequencyBoost: number };
export type SearchHit = { row: MemoryRow; score: number; snippet: string; spans: Span[]; explanation: Explanation; folded: string[] };
export type SearchMode = "hybrid" | "text";
export type SearchResponse = { hits: SearchHit[]; mode: SearchMode; modeReason: string | null; strategy: string; tookMs: number };
export type FacetCount = { value: string; count: number };
export type FacetGroup = { facet: Facet; values: FacetCount[] };
export type ScopeCounts = { account: number; workspace: number; channel: number; conversation: number };
export type NewMemory = { scope: Scope; channelId: string | null; conversationId: string | null; lifetime: Lifetime; content: string; importance: number; tags: string[] };
export type MemoryPatch = { content: string | null; importance: number | null; tags: string[] | null; lifetime: Lifetime | null; pinned: boolean | null };
export type Change = { changeId: string; summary: string; affected: string[]; undoable: boolean };
export type WriteResult = { change: Change; detail: MemoryDetail };
export type HistoryItem = { version: number; content: string; importance: number; tags: string[]; lifetime: Lifetime; forgotten: boolean; pinned: boolean; action: string; hand: Hand; door: Door; runId: string | null; at: string; current: boolean };
export type CurvePoint = { at: string; relevance: number };
export type DecayCurve = { points: CurvePoint[]; now: number; fadesAt: string | null; ratePerHour: number | null; exempt: string | null };
export type DecayRates = { account: number | null; workspace: number | null; channel: number | null; conversation: number | null };
export type DecayPreset = "steady" | "brisk" | "custom";
export type DecaySettings = { preset: DecayPreset; rates: DecayRates; pauseWhileAway: boolean };
export type TierCurve = { scope: Scope; ratePerHour: number | null; retention7d: number; points: number[] };
export type Theme = "system" | "light" | "dark";
export type Settings = { theme: Theme; decay: DecaySettings; sampleDismissed: boolean };
export type WorkspaceView = { id: string; name: string; createdAt: string; current: boolean };
export type ChannelView = { id: string; name: string; description: string; isDefault: boolean; memories: number };
export type ModelState = "ready" | "loading" | "missing" | "downloading" | "failed" | "text_only";
export type ModelView = { id: string; name: string; dimension: number; sizeMb: number; license: string; languages: string; bundled: boolean; installed: boolean; active: boolean; description: string };
export type ModelStatus = { state: ModelState; activeId: string | null; message: string | null; embedded: number; pending: number };
export type AppStatus = { version: string; sqliteVersion: string; dataDir: string; workspace: WorkspaceView | null; model: ModelStatus; offerSample: boolean; readOnly: boolean; logDir: string };
export type ErrorCode = "invalid" | "not_found" | "stale_version" | "locked" | "already_exists" | "read_only" | "disk_full" | "corrupt" | "newer_schema" | "model_unavailable" | "cancelled" | "nothing_to_undo" | "busy" | "internal";
export type ErrorDetails = { field: string | null; current: MemoryDetail | null; yoursContent: string | null };
export type CommandError = { code: ErrorCode; message: string; details: ErrorDetails | null };
export type Topic = "memories" | "channels" | "workspaces" | "settings" | "models";
export type DataChanged = { topic: Topic };
export type DownloadState = "downloading" | "done" | "failed" | "cancelled";
export type ModelProgress = { modelId: string; downloaded: number; total: number; state: DownloadState; message: string | null };
export type EmbedProgress = { done: number; total: number };

export const commands = {
  appStatus: () => invoke<AppStatus>("app_status"),
  listWorkspaces: () => invoke<WorkspaceView[]>("list_workspaces"),
  createWorkspace: (name: string) => invoke<WorkspaceView>("create_workspace", { name }),
  switchWorkspace: (id: string) => invoke<WorkspaceView>("switch_workspace", { id }),
  renameWorkspace: (id: string, name: string) => invoke<WorkspaceView>("rename_workspace", { id, name }),
  deleteWorkspace: (id: string, purge: boolean) => invoke<null>("delete_workspace", { id, purge }),
  loadSampleWorld: () => invoke<Change>("load_sample_world"),
  dismissSample: () => invoke<null>("dismiss_sample"),
  listChannels: () => invoke<ChannelView[]>("list_channels"),
  scopeCounts: (filter: MemoryFilter) => invoke<ScopeCounts>("scope_counts", { filter }),
  facetCounts: (filter: MemoryFilter, query: string | null) => invoke<FacetGroup[]>("facet_counts", { filter, query }),
  listMemories: (request: ListRequest) => invoke<MemoryPage>("list_memories", { request }),
  searchMemories: (request: SearchRequest) => invoke<SearchResponse>("search_memories", { request }),
  getMemory: (id: string) => invoke<MemoryDetail>("get_memory", { id }),
  createMemory: (memory: NewMemory) => invoke<WriteResult>("create_memory", { memory }),
  updateMemory: (id: string, version: number, patch: MemoryPatch) => invoke<WriteResult>("update_memory", { id, version, patch }),
  forgetMemories: (ids: string[], reason: string) => invoke<Change>("forget_memories", { ids, reason }),
  restoreMemories: (ids: string[]) => invoke<Change>("restore_memories", { ids }),
  tagMemories: (ids: string[], add: string[], remove: string[]) => invoke<Change>("tag_memories", { ids, add, remove }),
  setLifetime: (ids: string[], lifetime: Lifetime) => invoke<Change>("set_lifetime", { ids, lifetime }),
  undoChange: (changeId: string) => invoke<Change>("undo_change", { changeId }),
  undoLast: () => invoke<Change>("undo_last"),
  memoryHistory: (id: string) => invoke<HistoryItem[]>("memory_history", { id }),
  restoreVersion: (id: string, version: number, currentVersion: number) => invoke<WriteResult>("restore_version", { id, version, currentVersion }),
  decayCurve: (id: string) => invoke<DecayCurve>("decay_curve", { id }),
  previewDecay: (rates: DecayRates) => invoke<TierCurve[]>("preview_decay", { rates }),
  getSettings: () => invoke<Settings>("get_settings"),
  updateSettings: (settings: Settings) => invoke<Settings>("update_settings", { settings }),
  listModels: () => invoke<ModelView[]>("list_models"),
  modelStatus: () => invoke<ModelStatus>("model_status"),
  fetchModel: (id: string) => invoke<null>("fetch_model", { id }),
  cancelFetch: () => invoke<null>("cancel_fetch"),
  useModel: (id: string) => invoke<null>("use_model", { id }),
  useModelFolder: (path: string) => invoke<null>("use_model_folder", { path }),
  embedNow: () => invoke<null>("embed_now"),
};

const event = <T>(name: string) => ({
  listen: (cb: __E.EventCallback<T>) => __E.listen<T>(name, cb),
  once: (cb: __E.EventCallback<T>) => __E.once<T>(name, cb),
  emit: (payload: T) => __E.emit(name, payload),
});

export const events = {
  dataChanged: event<DataChanged>("data-changed"),
  modelProgress: event<ModelProgress>("model-progress"),
  embedProgress: event<EmbedProgress>("embed-progress"),
};
