import type {
  AuditAct,
  AuditLog,
  AuditView,
  BackupReason,
  BackupSettings,
  BackupView,
  ChangeTopic,
  Curator,
  DamagedFile,
  LogAnew,
  ScrubDone,
  ScrubManifest,
  ScrubMode,
  ScrubRequest,
  ScrubTarget,
  TierOverview,
  WorkspaceView,
} from "../../ipc/bindings.gen";
import { type Entry, fail, HOUR } from "../store";
import type { Talks } from "../talk";

/** What the control plane needs of the rest of the stand-in. */
export type KeepHost = {
  entries: Map<string, Entry>;
  readOnly: boolean;
  talks: Talks;
  workspaces: WorkspaceView[];
  emit(topic: ChangeTopic): void;
};

const MB = 1_000_000;
const TIERS = ["conversation", "channel", "workspace", "account"] as const;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();

function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0").repeat(8);
}

/** Tier overview, scrub, audit log and backups. */
export class Keep {
  audit: AuditView[] = [];
  /** Where the chain of the account's file is broken, if it is. */
  brokenAt: number | null = null;
  /** Where the account's log goes on from a backup. */
  anew: LogAnew | null = null;
  backups: BackupView[];
  settings: BackupSettings = { everyMinutes: 15, maxMegabytes: 2048 };
  damaged: DamagedFile[];
  /** How many pieces of scrubbed text the next proof still finds. */
  residues = 0;
  private serial = 0;

  constructor(
    private readonly host: KeepHost,
    { damaged = false, backups = true }: { damaged?: boolean | "account"; backups?: boolean },
  ) {
    this.backups = backups
      ? [
          this.backup("activity", 0.2, 41.2, true),
          this.backup("asked", 5, 41.1, true),
          this.backup("import", 26, 38.7, null),
          this.backup("run", 74, 38.2, null),
          this.backup("migration", 410, 21.5, false, ["The Drowned Coast", "Ember Court"]),
        ]
      : [];
    this.damaged = damaged
      ? [
          {
            file: "/home/you/.local/share/inklings/workspaces/the-drowned-coast/agents.db",
            account: damaged === "account",
            quarantined: "/home/you/.local/share/inklings/quarantine/2026-11-21T0915-agents.db",
            newest: damaged === "account" ? null : (this.backups[0] ?? null),
          },
        ]
      : [];
    if (backups) {
      this.note("purge_backup", "20260901T080000007Z-asked", null, 1, "account", 300);
      this.note("scrub", "channel ch-magic", "keep_named", 84, "The Drowned Coast", 120);
      this.note(
        "purge",
        "purge_conversation 0193f0c0-0000-7000-8000-00000000dead",
        "full",
        31,
        "The Drowned Coast",
        30,
      );
    }
  }

  private backup(
    reason: BackupReason,
    hours: number,
    megabytes: number,
    ok: boolean | null,
    workspaces = ["The Drowned Coast"],
  ): BackupView {
    this.serial += 1;
    const at = ago(hours);
    return {
      id: `${at.slice(0, 19)}-${reason}-${this.serial}`,
      at,
      reason,
      bytes: Math.round(megabytes * MB),
      workspaces,
      account: true,
      scrubsSince: reason === "run" ? 1 : 0,
      ok,
    };
  }

  private note(act: AuditAct, scope: string, mode: ScrubMode | null, rows: number, file: string, hours = 0) {
    const sequence = this.audit.filter((it) => it.file === file).length + 1;
    const at = ago(hours);
    const hash = digest(`${this.audit[0]?.hash}${act}${scope}${at}`);
    this.audit.unshift({
      sequence,
      file,
      act,
      scope,
      mode,
      rows,
      operator: "you",
      door: "window",
      at,
      hash,
    });
    return sequence;
  }

  private writable() {
    if (this.host.readOnly) throw fail("read_only", "The data folder cannot be written.");
  }

  private overview(): TierOverview[] {
    const all = [...this.host.entries.values()].map((it) => it.detail);
    return TIERS.map((scope) => {
      const tier = all.filter((it) => it.row.scope === scope);
      const active = tier.filter((it) => it.forgotten === null);
      const by = (curator: Curator) => active.filter((it) => it.row.curator === curator).length;
      const times = active.map((it) => it.row.createdAt).sort();
      return {
        scope,
        active: active.length,
        forgotten: tier.length - active.length,
        byAuthor: by("author"),
        byAgent: by("agent"),
        byImport: by("import"),
        named: active.filter((it) => it.row.name !== null).length,
        oldest: times[0] ?? null,
        newest: times.at(-1) ?? null,
        bytes: active.reduce((sum, it) => sum + it.content.length, 0),
        fading: active.filter((it) => it.row.relevance < 0.05).length,
        lastConsolidation: scope === "conversation" || tier.length === 0 ? null : ago(3),
      };
    });
  }

  private touched({ kind, id, account }: ScrubTarget, mode: ScrubMode) {
    const { entries, talks } = this.host;
    const talk = [...talks.talks.values()].find((it) => it.view.id === id);
    const inRoom = [...entries.values()].filter(({ detail: { row } }) => {
      if (kind === "entry") return row.id === id;
      if (kind === "subject")
        return (row.scope === "account") === (account === true) && row.preview.includes(id ?? "");
      // A purge takes what was said, and no memory.
      if (row.scope !== kind) return false;
      if (kind === "channel") return row.channelId === id;
      return kind === "conversation" ? row.conversationRef === talk?.view.refCode : true;
    });
    const stays = inRoom.filter((it) => mode === "keep_named" && it.detail.row.name !== null);
    return { talk, gone: inRoom.filter((it) => !stays.includes(it)), keeps: stays.length };
  }

  private titleOf({ kind, id }: ScrubTarget): string {
    if (kind === "entry") return "One memory";
    if (kind === "subject") return `Everything that names ${id}`;
    const channel = this.host.talks.channels.find((it) => it.id === id);
    const talk = [...this.host.talks.talks.values()].find((it) => it.view.id === id);
    if ((kind === "channel" && !channel) || (kind.endsWith("conversation") && !talk))
      throw fail("not_found", "There is no such room.");
    if (kind === "channel") return `Channel #${channel?.name}`;
    if (kind === "account") return "Account";
    if (kind === "workspace") return `Workspace ${this.host.workspaces.find((it) => it.current)?.name ?? ""}`;
    return `Conversation ${talk?.view.title || talk?.view.refCode}`;
  }

  private manifest(target: ScrubTarget, mode: ScrubMode): ScrubManifest {
    const { talk, gone, keeps } = this.touched(target, mode);
    const purge = target.kind === "purge_conversation";
    const versions = gone.reduce((sum, it) => sum + it.history.length, 0);
    const counts = [
      { what: "memories", rows: gone.length },
      { what: "versions", rows: versions },
      { what: "vectors", rows: gone.filter((it) => it.detail.row.hasEmbedding).length },
      { what: "messages", rows: purge ? (talk?.messages.length ?? 0) : 0 },
      { what: "episodes", rows: purge ? 1 : 0 },
      { what: "workingNotes", rows: purge || target.kind === "conversation" ? 2 : 0 },
      { what: "orientations", rows: purge ? 6 : 0 },
    ].filter((it) => it.rows > 0);
    return {
      target,
      mode,
      title: this.titleOf(target),
      counts,
      total: counts.reduce((sum, it) => sum + it.rows, 0),
      keeps,
      sample: gone.slice(0, 20).map((it) => it.detail.row.id),
      alsoSaid: {
        conversations:
          target.kind === "subject"
            ? [...this.host.talks.talks.values()].slice(0, 1).map(({ view }) => ({
                conversation: view.id,
                refCode: view.refCode,
                title: view.title,
                rows: 2,
              }))
            : [],
        memories: [],
        accountMemories: [],
        facts: target.kind === "subject" ? 1 : 0,
        workingNotes: 0,
      },
      backups: this.backups,
      leftovers: [],
      hash: digest(
        gone.map((it) => `${it.detail.row.id}@${it.detail.row.version}`).join() + target.kind + mode,
      ),
      phrase: purge ? "purge conversation" : `scrub ${target.kind}`,
      at: new Date().toISOString(),
    };
  }

  private execute(request: ScrubRequest): ScrubDone {
    this.writable();
    const manifest = this.manifest(request.target, request.mode);
    if (request.phrase !== manifest.phrase)
      throw fail("invalid", `Type “${manifest.phrase}”.`, { field: "phrase" });
    if (request.hash !== manifest.hash)
      throw fail("stale_version", "The rows changed since the manifest was made.");
    const backup = request.backup ? this.backup("scrub", 0, 41.2, true) : null;
    if (backup) this.backups.unshift(backup);
    for (const it of this.touched(request.target, request.mode).gone)
      this.host.entries.delete(it.detail.row.id);
    const { kind, id } = request.target;
    if (kind === "purge_conversation") {
      for (const [key, talk] of this.host.talks.talks)
        if (talk.view.id === id) this.host.talks.talks.delete(key);
    }
    const file = kind === "account" ? "account" : (this.host.workspaces.find((it) => it.current)?.name ?? "");
    const auditSequence = this.note(
      kind === "purge_conversation" ? "purge" : "scrub",
      id === null ? kind : `${kind} ${id}`,
      request.mode,
      manifest.total,
      file,
    );
    for (const topic of ["memories", "channels", "transcript"] as const)
      setTimeout(() => this.host.emit(topic), 5);
    return {
      manifest,
      auditSequence,
      backupId: backup?.id ?? null,
      proof: {
        ok: this.residues === 0,
        checked: ["tables", "search index", "vectors", "history", "journal", "write-ahead log", "free pages"],
        residues: this.residues,
      },
    };
  }

  private log(): AuditLog {
    const files = [...new Set(["account", ...this.audit.map((it) => it.file)])];
    return {
      rows: this.audit,
      chains: files.map((file) => {
        const broken = file === "account" ? this.brokenAt : null;
        const rows = this.audit.filter((it) => it.file === file).length;
        const anew = file === "account" ? this.anew : null;
        return { file, rows, ok: broken === null, brokenAt: broken, anew };
      }),
    };
  }

  private need(id: string): BackupView {
    const found = this.backups.find((it) => it.id === id);
    if (!found) throw fail("not_found", "There is no such backup.");
    return found;
  }

  private restore(id: string, withScrubbed: boolean) {
    this.writable();
    const restored = this.need(id);
    if (restored.scrubsSince > 0 && !withScrubbed)
      throw fail("invalid", "This backup is from before a scrub.", { field: "withScrubbed" });
    if (restored.ok === false) throw fail("corrupt", "This backup is damaged. Nothing was replaced.");
    const before = this.backup("restore", 0, 41.2, true, restored.workspaces);
    this.backups.unshift(before);
    this.damaged = [];
    this.note("restore", id, null, 1, "account");
    for (const topic of ["memories", "channels", "transcript", "workspaces"] as const)
      setTimeout(() => this.host.emit(topic), 5);
    return { restored, before };
  }

  commands: Record<string, (args: never) => unknown> = {
    memory_overview: () => this.overview(),
    preview_scrub: ({ target, mode }: { target: ScrubTarget; mode: ScrubMode }) =>
      this.manifest(target, mode),
    execute_scrub: ({ request }: { request: ScrubRequest }) => this.execute(request),
    audit_log: () => this.log(),
    list_backups: () => ({
      rows: this.backups,
      bytes: this.backups.reduce((sum, it) => sum + it.bytes, 0),
      maxBytes: this.settings.maxMegabytes * MB,
      folder: "/home/you/.local/share/inklings/backups/sets",
    }),
    back_up_now: () => {
      this.writable();
      const made = this.backup("asked", 0, 41.2, true);
      this.backups.unshift(made);
      return made;
    },
    check_backup: ({ id }: { id: string }) => {
      const found = this.need(id);
      found.ok ??= true;
      return found;
    },
    restore_backup: ({ id, withScrubbed }: { id: string; withScrubbed: boolean }) =>
      this.restore(id, withScrubbed),
    purge_backup: ({ id }: { id: string }) => {
      this.writable();
      this.need(id);
      this.backups = this.backups.filter((it) => it.id !== id);
      this.note("purge_backup", id, null, 1, "account");
      return null;
    },
    backup_settings: () => this.settings,
    set_backup_settings: ({ settings }: { settings: BackupSettings }) => {
      this.writable();
      this.settings = settings;
      return settings;
    },
    damaged_files: () => this.damaged,
    begin_account_anew: () => {
      this.writable();
      this.damaged = this.damaged.filter((it) => !it.account);
      return null;
    },
  };
}
