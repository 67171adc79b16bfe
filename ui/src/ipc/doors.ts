/**
 * The commands and types of the doors (control plane, clients, export and import), by hand and in the shape of the
 * generated file until that has them. Same names, same exports: whoever imports from here can import from
 * `bindings.gen` instead.
 */
import { invoke as __TAURI_INVOKE } from "@tauri-apps/api/core";
import { type EventCallback, emit, listen } from "@tauri-apps/api/event";
import type { Door, JournalPage, MemoryRow, Scope } from "./bindings.gen";

/** Commands */
export const commands = {
  /** The four tiers, the narrowest first. */
  memoryOverview: () => __TAURI_INVOKE<TierOverview[]>("memory_overview"),
  /** What a scrub would destroy. */
  previewScrub: (target: ScrubTarget, mode: ScrubMode) =>
    __TAURI_INVOKE<ScrubManifest>("preview_scrub", { target, mode }),
  /** Destroys what the manifest of this hash names. */
  executeScrub: (request: ScrubRequest) => __TAURI_INVOKE<ScrubDone>("execute_scrub", { request }),
  /** The audit log with its verification. */
  auditLog: () => __TAURI_INVOKE<AuditLog>("audit_log"),
  /** Every backup, the newest first. */
  listBackups: () => __TAURI_INVOKE<BackupList>("list_backups"),
  /** Makes a backup. */
  backUpNow: () => __TAURI_INVOKE<BackupView>("back_up_now"),
  /** Checks a backup against its manifest. */
  checkBackup: (id: string) => __TAURI_INVOKE<BackupView>("check_backup", { id }),
  /** Puts a backup in the place of what is there, which is backed up first. */
  restoreBackup: (id: string) => __TAURI_INVOKE<Restored>("restore_backup", { id }),
  /** Destroys a backup. */
  purgeBackup: (id: string) => __TAURI_INVOKE<null>("purge_backup", { id }),
  /** What is set about backups. */
  backupSettings: () => __TAURI_INVOKE<BackupSettings>("backup_settings"),
  /** Sets all of it. */
  setBackupSettings: (settings: BackupSettings) =>
    __TAURI_INVOKE<BackupSettings>("set_backup_settings", { settings }),
  /** Data files that were found damaged at this start. */
  damagedFiles: () => __TAURI_INVOKE<DamagedFile[]>("damaged_files"),
  /** Every MCP client. */
  listClients: () => __TAURI_INVOKE<ClientView[]>("list_clients"),
  /** Makes a client; its token is shown this once. */
  addClient: (name: string, workspaceId: string) =>
    __TAURI_INVOKE<NewClient>("add_client", { name, workspaceId }),
  /** Sets what a client may do. */
  setGrants: (id: string, grants: ClientGrants) => __TAURI_INVOKE<ClientView>("set_grants", { id, grants }),
  /** Gives a client a new token; the old one stops working, and a revoked client may come in again. */
  renewToken: (id: string) => __TAURI_INVOKE<NewClient>("renew_token", { id }),
  /** Ends a client's access. */
  revokeClient: (id: string) => __TAURI_INVOKE<ClientView>("revoke_client", { id }),
  /** A page of what a client wrote, the newest first. */
  clientChanges: (id: string, before: number | null, limit: number) =>
    __TAURI_INVOKE<JournalPage>("client_changes", { id, before, limit }),
  /** Takes back everything that a client wrote, and turns its open proposals down. */
  undoClient: (id: string) => __TAURI_INVOKE<ClientUndone>("undo_client", { id }),
  /** How the MCP server is. */
  mcpStatus: () => __TAURI_INVOKE<McpStatus>("mcp_status"),
  /** Switches the MCP server. */
  setMcp: (enabled: boolean, port: number) => __TAURI_INVOKE<McpStatus>("set_mcp", { enabled, port }),
  /** Whether agents and tasks may add to the memory of the workspace in use. */
  memoryEnabled: () => __TAURI_INVOKE<boolean>("memory_enabled"),
  /** Switches that. */
  setMemoryEnabled: (enabled: boolean) => __TAURI_INVOKE<boolean>("set_memory_enabled", { enabled }),
  /** What to write into the settings of other programs. */
  clientSnippets: (id: string, token: string | null) =>
    __TAURI_INVOKE<Snippets>("client_snippets", { id, token }),
  /** Writes memory to a file or folder. */
  exportMemory: (request: ExportRequest) => __TAURI_INVOKE<ExportReport>("export_memory", { request }),
  /** Stops the export or import that is under way. */
  cancelTransfer: () => __TAURI_INVOKE<null>("cancel_transfer"),
  /** What an import would do. */
  previewImport: (request: ImportRequest) => __TAURI_INVOKE<ImportPlan>("preview_import", { request }),
  /** Imports what the plan of this hash says, whole or not at all. */
  importMemory: (request: ImportRequest, hash: string) =>
    __TAURI_INVOKE<ImportDone>("import_memory", { request, hash }),
};

/** Events */
export const events = {
  transferProgress: {
    listen: (cb: EventCallback<TransferProgress>) => listen<TransferProgress>("transfer-progress", cb),
    emit: (payload: TransferProgress) => emit("transfer-progress", payload),
  },
};

/* Types */

/** What a tier holds. */
export type TierOverview = {
  scope: Scope;
  active: number;
  forgotten: number;
  byAuthor: number;
  byAgent: number;
  byImport: number;
  named: number;
  oldest: string | null;
  newest: string | null;
  /** Of texts. */
  bytes: number;
  /** Entries with a relevance below 0.05. */
  fading: number;
  lastConsolidation: string | null;
};

export type ScrubKind = "conversation" | "channel" | "workspace" | "account" | "purge_conversation";

/** What to scrub; `id` is a conversation's or a channel's, otherwise null. */
export type ScrubTarget = { kind: ScrubKind; id: string | null };

export type ScrubMode = "full" | "keep_named";

/** How many rows of a kind. */
export type ScrubCount = { what: string; rows: number };

/** What a scrub would destroy, and a hash over exactly those rows. */
export type ScrubManifest = {
  target: ScrubTarget;
  mode: ScrubMode;
  title: string;
  counts: ScrubCount[];
  total: number;
  /** Entries that stay, because they are named. */
  keeps: number;
  /** Ids, at most 20. */
  sample: string[];
  hash: string;
  phrase: string;
  at: string;
};

export type ScrubRequest = {
  target: ScrubTarget;
  mode: ScrubMode;
  hash: string;
  phrase: string;
  backup: boolean;
};

/** What was looked through afterwards, and how much was found. */
export type ScrubProof = { ok: boolean; checked: string[]; residues: number };

/** What a scrub destroyed. */
export type ScrubDone = {
  manifest: ScrubManifest;
  auditSequence: number;
  backupId: string | null;
  proof: ScrubProof;
};

export type AuditAct = "scrub" | "purge" | "restore" | "purge_backup";

/** A row of the audit log. */
export type AuditView = {
  sequence: number;
  /** "account", or the workspace's name. */
  file: string;
  act: AuditAct;
  /** Kind and id of what it was about. */
  scope: string;
  mode: ScrubMode | null;
  rows: number;
  operator: string;
  door: Door;
  at: string;
  hash: string;
};

/** Whether the chain of a file holds. */
export type AuditChain = { file: string; rows: number; ok: boolean; brokenAt: number | null };

export type AuditLog = { rows: AuditView[]; chains: AuditChain[] };

export type BackupReason = "activity" | "asked" | "migration" | "import" | "scrub" | "run" | "restore";

/** A backup. */
export type BackupView = {
  id: string;
  at: string;
  reason: BackupReason;
  bytes: number;
  /** Names. */
  workspaces: string[];
  account: boolean;
  /** Null: not checked since. */
  ok: boolean | null;
};

export type BackupList = { rows: BackupView[]; bytes: number; maxBytes: number; folder: string };

/** What was restored, and the backup of what was there before. */
export type Restored = { restored: BackupView; before: BackupView };

export type BackupSettings = {
  /** Minutes of activity; 0: never. */
  everyMinutes: number;
  maxMegabytes: number;
};

/** A data file that was damaged and put aside. */
export type DamagedFile = { file: string; quarantined: string; newest: BackupView | null };

export type ClientCapability = "propose" | "scrub_preview" | "scrub_execute" | "memory_switch";

export type GrantVerb = "read" | "write";

export type TierGrant = { scope: Scope; read: boolean; write: boolean };

/** What a client may do. Always four tiers. */
export type ClientGrants = { tiers: TierGrant[]; channels: string[]; capabilities: ClientCapability[] };

/** An MCP client. */
export type ClientView = {
  id: string;
  name: string;
  workspaceId: string;
  workspaceName: string;
  grants: ClientGrants;
  createdAt: string;
  lastSeenAt: string | null;
  revokedAt: string | null;
  /** Changes that were not taken back. */
  writes: number;
};

/** A client with its token, which is shown once. */
export type NewClient = { client: ClientView; token: string };

/** What came of taking back everything a client wrote. */
export type ClientUndone = { restored: number; conflicts: MemoryRow[] };

export type McpStatus = {
  enabled: boolean;
  running: boolean;
  port: number | null;
  wantedPort: number;
  url: string | null;
  message: string | null;
};

/** What to write into the settings of a program, and where. */
export type Snippet = { program: string; file: string; text: string };

export type Snippets = { http: Snippet[]; stdio: Snippet[] };

export type TransferFormat =
  | "inklings"
  | "sillytavern"
  | "character_card"
  | "lorebook_v3"
  | "novelai"
  | "novelcrafter"
  | "claude_memories"
  | "mem0"
  | "mcp_jsonl"
  | "markdown"
  | "jsonl";

/** What to export. */
export type ExportScope = {
  account: boolean;
  /** With channels, conversations and the rest. */
  workspace: boolean;
  channelId: string | null;
  conversationId: string | null;
};

export type ExportRequest = {
  path: string;
  format: TransferFormat;
  scope: ExportScope;
  embeddings: boolean;
  journal: boolean;
};

/** How many of a kind. */
export type TransferCount = { what: string; rows: number };

export type ExportReport = { path: string; bytes: number; counts: TransferCount[] };

export type ConflictChoice = "newer" | "mine" | "both";

export type ImportOutcomeKind = "add" | "change" | "skip" | "refuse";

/** What would come of one item of a file. */
export type ImportItemView = { kind: ImportOutcomeKind; what: string; label: string; reason: string };

export type ImportCount = { kind: ImportOutcomeKind; what: string; rows: number };

/** What an import would do; `items` are at most 500. */
export type ImportPlan = {
  path: string;
  format: TransferFormat;
  counts: ImportCount[];
  items: ImportItemView[];
  hash: string;
};

export type ImportRequest = {
  path: string;
  /** Null: found out. */
  format: TransferFormat | null;
  scope: Scope;
  channelId: string | null;
  conflicts: ConflictChoice;
};

/** What an import did; the run takes it back. */
export type ImportDone = { plan: ImportPlan; runId: string; backupId: string | null };

/** How an export or import goes. */
export type TransferProgress = { done: number; total: number; what: string };
