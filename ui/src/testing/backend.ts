import type {
  AppStatus,
  Change,
  ChangeAction,
  ChangeTopic,
  DataChanged,
  DecayCurve,
  DecayRates,
  Door,
  Hand,
  ListRequest,
  MemoryDetail,
  MemoryFilter,
  MemoryPage,
  MemoryPatch,
  ModelState,
  ModelView,
  NewMemory,
  Scope,
  SearchRequest,
  Settings,
  TierCurve,
  WorkspaceView,
  WriteResult,
} from "../ipc/bindings.gen";
import { emitEvent, type Handler } from "../ipc/mock";
import { Activity, changedEntry } from "./activity";
import { Beside } from "./beside";
import { Chat } from "./chat";
import { Clients } from "./doors/clients";
import { Keep } from "./doors/keep";
import { Transfer } from "./doors/transfer";
import { modelsOf } from "./models";
import { Named } from "./named";
import { Orientations } from "./orientation";
import { facetCounts, passes, search, sorted } from "./query";
import { decayTerms, type Entry, entryFrom, fail, HOUR, idOf, rateOf, record } from "./store";
import { type ChatScenario, Talks } from "./talk";
import { generated, SEEDS, type Seed } from "./world";
import { worlds } from "./worlds";

export type Scenario = {
  /** How many generated entries join the hand-written ones; null leaves the store empty. */
  extra?: number | null;
  offerSample?: boolean;
  readOnly?: boolean;
  /** Parts of the data folder that others could open until this start. */
  narrowed?: string[];
  model?: ModelState;
  noWorkspace?: boolean;
  /** Commands that fail, by name, until taken off again. */
  failing?: string[];
  /** Milliseconds each answer takes. */
  delay?: number;
  /** The commands that take that long, where not all do. */
  slow?: string[];
  /** How many generated conversations join the hand-written ones; null: there are none at all. */
  talks?: number | null;
  /** Length of one more conversation, for scrolling. */
  turns?: number;
  /** Which language model is connected. */
  chat?: ChatScenario;
  /** There is a third workspace whose name is not allowed. */
  damagedWorkspace?: boolean;
  /** A data file was damaged at this start; "account": the account's, of which there is no backup. */
  damaged?: boolean | "account";
  /** Neither clients nor backups nor an audit log yet. */
  untouched?: boolean;
};

const TIERS: Scope[] = ["account", "workspace", "channel", "conversation"];
const STEADY: DecayRates = { account: 0.999, workspace: 0.998, channel: 0.995, conversation: 0.99 };
const BRISK: DecayRates = { account: 0.998, workspace: 0.995, channel: 0.99, conversation: null };
export const PRESETS = { steady: STEADY, brisk: BRISK };

/** An honest small stand-in for the core: same commands, same refusals, everything in RAM. For tests only. */
export class Backend {
  entries = new Map<string, Entry>();
  settings: Settings;
  workspaces: WorkspaceView[];
  models: ModelView[];
  modelState: ModelState;
  calls: { command: string; args: Record<string, unknown> }[] = [];
  failing: Set<string>;
  delay: number;
  slow: Set<string>;
  readOnly: boolean;
  narrowed: string[];
  offerSample: boolean;
  talks: Talks;
  beside: Beside;
  chat: Chat;
  named: Named;
  orientations: Orientations;
  activity: Activity;
  keep: Keep;
  clients: Clients;
  transfer: Transfer;
  private undos = new Map<string, { summary: string; before: Map<string, Entry | null> }>();
  private serial = 0;
  private download: ReturnType<typeof setInterval> | undefined;

  constructor(scenario: Scenario = {}) {
    const { extra = 220, offerSample = false, readOnly = false, model = "ready", delay = 0 } = scenario;
    if (extra !== null) this.fill([...SEEDS, ...generated(extra)]);
    this.failing = new Set(scenario.failing);
    this.delay = delay;
    this.slow = new Set(scenario.slow);
    this.readOnly = readOnly;
    this.narrowed = scenario.narrowed ?? [];
    this.offerSample = offerSample;
    this.modelState = model;
    this.talks = new Talks(this, { ...scenario, talks: scenario.extra === null ? null : scenario.talks });
    this.beside = new Beside(this.talks);
    this.chat = new Chat(this.talks);
    this.named = new Named(this);
    this.orientations = new Orientations(this.talks, this.beside, this.named);
    this.activity = new Activity(this);
    this.keep = new Keep(this, { damaged: scenario.damaged, backups: !scenario.untouched });
    this.clients = new Clients(this, !scenario.untouched);
    this.transfer = new Transfer(this);
    this.activity.runs.foreign = (id) => {
      const [run] = this.activity.runs.runs;
      const back = this.transfer.revert(id);
      return run && back ? { run: { ...run, id }, ...back } : null;
    };
    this.beside.keepOnlySummaries = () => this.chat.settings.keepOnlySummaries;
    this.settings = {
      theme: "system",
      decay: { preset: "steady", rates: STEADY, pauseWhileAway: true },
      sampleDismissed: !offerSample,
    };
    this.workspaces = scenario.noWorkspace ? [] : worlds(scenario.damagedWorkspace);
    this.models = modelsOf(model === "ready" || model === "loading");
  }

  handler: Handler = (command, args) => {
    this.calls.push({ command, args });
    const answer = () => {
      if (this.failing.has(command)) throw fail("internal", "The database did not answer.");
      const method =
        this.commands[command] ??
        this.talks.commands[command] ??
        this.beside.commands[command] ??
        this.chat.commands[command] ??
        this.named.commands[command] ??
        this.orientations.commands[command] ??
        this.activity.commands[command] ??
        this.activity.runs.commands[command] ??
        this.keep.commands[command] ??
        this.clients.commands[command] ??
        this.transfer.commands[command];
      if (!method) throw fail("internal", `no such command: ${command}`);
      // Answers cross a process boundary in the real window: never hand out live objects.
      const result = method(args as never);
      return result instanceof Promise ? result : structuredClone(result);
    };
    if (this.delay === 0 || (this.slow.size > 0 && !this.slow.has(command))) return answer();
    return new Promise((resolve, reject) => {
      setTimeout(() => {
        try {
          resolve(answer());
        } catch (error) {
          reject(error);
        }
      }, this.delay);
    });
  };

  emit(topic: ChangeTopic) {
    void emitEvent.dataChanged.emit({ topic } as DataChanged);
  }

  fill(seeds: Seed[]) {
    const now = Date.now();
    const start = this.entries.size;
    seeds.forEach((seed, i) => {
      const entry = entryFrom(seed, start + i + 1, now);
      this.entries.set(entry.detail.row.id, entry);
    });
  }

  /** A write by another process, as the command line would make it. */
  foreignEdit(id: string, content: string) {
    const entry = this.need(id);
    this.write("edit", [id], () => this.setContent(entry, content), "agent", "mcp");
    this.emit("memories");
  }

  private need(id: string): Entry {
    const entry = this.entries.get(id) ?? this.named.standing.get(id);
    if (!entry) throw fail("not_found", "No memory has this id.");
    return entry;
  }

  private setContent(entry: Entry, content: string) {
    entry.detail.content = content;
    entry.detail.row.preview = content.slice(0, 400);
  }

  write(
    action: ChangeAction,
    ids: string[],
    change: (entry: Entry) => void,
    hand: Hand = "author",
    door: Door = "window",
    runId: string | null = null,
  ): Change {
    if (this.readOnly) throw fail("read_only", "The data folder cannot be written.");
    const now = new Date().toISOString();
    const before = new Map<string, Entry | null>();
    for (const id of ids) {
      const entry = this.need(id);
      before.set(id, structuredClone(entry));
      change(entry);
      entry.detail.row.version += 1;
      entry.detail.row.updatedAt = now;
      entry.detail.writtenBy = hand;
      record(entry, action, now, hand, door);
    }
    return this.remember(action, before, hand, door, runId);
  }

  /** An entry made elsewhere in the stand-in. */
  plant(entry: Entry): Change {
    if (this.readOnly) throw fail("read_only", "The data folder cannot be written.");
    const { id } = entry.detail.row;
    this.entries.set(id, entry);
    return this.remember("create", new Map([[id, null]]));
  }

  private remember(
    action: ChangeAction,
    before: Map<string, Entry | null>,
    hand: Hand = "author",
    door: Door = "window",
    runId: string | null = null,
  ): Change {
    this.serial += 1;
    const changeId = `change-${this.serial}`;
    const summary = `${action} ${before.size}`;
    this.undos.set(changeId, { summary, before });
    const { scope } = this.need([...before.keys()][0] ?? "").detail.row;
    this.activity.note({
      changeId,
      scope: scope === "account" ? "account" : "workspace",
      action,
      hand,
      door,
      runId,
      entries: before.size,
      about: changedEntry(this.need([...before.keys()][0] ?? "")),
      undoes: null,
    });
    setTimeout(() => this.emit("memories"), 5);
    return { changeId, summary, affected: [...before.keys()], undoable: true };
  }

  undo(changeId: string): Change {
    const undo = this.undos.get(changeId);
    if (!undo) throw fail("nothing_to_undo", "There is nothing to undo.");
    this.undos.delete(changeId);
    for (const [id, entry] of undo.before) {
      const current = this.entries.get(id);
      if (entry === null) this.entries.delete(id);
      else {
        const restored = structuredClone(entry);
        restored.history = current?.history ?? restored.history;
        restored.detail.row.version = (current?.detail.row.version ?? 0) + 1;
        record(restored, "undo", new Date().toISOString());
        if (this.named.standing.has(id)) this.named.standing.set(id, restored);
        else this.entries.set(id, restored);
      }
    }
    this.serial += 1;
    this.activity.note({
      changeId: `undo-${this.serial}`,
      scope: "workspace",
      action: "undo",
      hand: "author",
      door: "window",
      runId: null,
      entries: undo.before.size,
      undoes: changeId,
    });
    this.activity.undone(changeId);
    setTimeout(() => this.emit("memories"), 5);
    return { changeId, summary: undo.summary, affected: [...undo.before.keys()], undoable: false };
  }

  private result(change: Change, id: string): WriteResult {
    return { change, detail: this.need(id).detail };
  }

  private embedded() {
    const all = [...this.entries.values()].filter((it) => !it.detail.forgotten);
    const done = all.filter((it) => it.detail.row.hasEmbedding).length;
    return { embedded: done, pending: all.length - done };
  }

  private status(): AppStatus {
    return {
      version: "0.1.0",
      sqliteVersion: "3.51.3",
      dataDir: "/home/you/.local/share/inklings",
      workspace: this.workspaces.find((it) => it.current) ?? null,
      model: this.modelStatus(),
      offerSample: this.offerSample,
      readOnly: this.readOnly,
      logDir: "/home/you/.local/share/inklings/logs",
      narrowed: this.narrowed,
    };
  }

  private modelStatus() {
    const active = this.models.find((it) => it.active);
    return { state: this.modelState, activeId: active?.id ?? null, message: null, ...this.embedded() };
  }

  private list({ filter, sort, after, limit }: ListRequest): MemoryPage {
    const entries = this.sortedCache(filter, sort);
    const start = after ? entries.findIndex((it) => it.detail.row.id === after) + 1 : 0;
    const rows = entries.slice(start, start + limit).map((it) => it.detail.row);
    return { rows, next: start + limit < entries.length ? (rows.at(-1)?.id ?? null) : null };
  }

  private cache: { key: string; entries: Entry[] } | undefined;

  private sortedCache(filter: MemoryFilter, sort: ListRequest["sort"]): Entry[] {
    const key = JSON.stringify([filter, sort, this.serial, this.entries.size]);
    if (this.cache?.key !== key) {
      this.cache = {
        key,
        entries: sorted(
          [...this.entries.values()].filter((it) => passes(it, filter)),
          sort,
        ),
      };
    }
    return this.cache.entries;
  }

  private curve(id: string): DecayCurve {
    const { row } = this.need(id).detail;
    const now = Date.now();
    const { relevance } = decayTerms(row, now);
    const rate = row.pinned ? 1 : rateOf(row);
    const idle = Math.ceil(decayTerms(row, now).hoursIdle / 24);
    const points = Array.from({ length: idle + 60 }, (_, i) => {
      const hours = (i - idle) * 24;
      return { at: new Date(now + hours * HOUR).toISOString(), relevance: relevance * rate ** hours };
    });
    const hoursLeft = Math.log(0.01 / relevance) / Math.log(rate);
    return {
      points,
      now: relevance,
      fadesAt: row.pinned ? null : new Date(now + hoursLeft * HOUR).toISOString(),
      ratePerHour: row.pinned ? null : rate,
      exempt: row.pinned ? "pinned" : null,
    };
  }

  private create(memory: NewMemory): WriteResult {
    if (this.readOnly) throw fail("read_only", "The data folder cannot be written.");
    if (memory.content.trim() === "")
      throw fail("invalid", "A memory needs some text.", { field: "content" });
    const seed: Seed = {
      ...memory,
      text: memory.content,
      channel: memory.channelId ?? undefined,
      curator: "author",
      source: "window",
    };
    const entry = entryFrom(seed, 0, Date.now());
    const id = idOf(900_000 + this.entries.size);
    const now = new Date().toISOString();
    Object.assign(entry.detail.row, { id, createdAt: now, updatedAt: now, accessedAt: now, accessCount: 0 });
    entry.history = entry.history.map((item) => ({ ...item, at: now }));
    this.entries.set(id, entry);
    return this.result(this.remember("create", new Map([[id, null]])), id);
  }

  private update(id: string, version: number, patch: MemoryPatch): WriteResult {
    const entry = this.need(id);
    if (entry.detail.row.version !== version) {
      throw fail("stale_version", "The memory was changed in the meantime.", {
        current: structuredClone(entry.detail) as MemoryDetail,
        yoursContent: patch.content,
      });
    }
    if (patch.content !== null && patch.content.trim() === "") {
      throw fail("invalid", "A memory needs some text.", { field: "content" });
    }
    const change = this.write("edit", [id], (it) => {
      if (patch.content !== null) this.setContent(it, patch.content);
      const { content: _, ...rest } = patch;
      for (const [key, value] of Object.entries(rest))
        if (value !== null) Object.assign(it.detail.row, { [key]: value });
    });
    return this.result(change, id);
  }

  private forgetting(ids: string[], forgotten: boolean, note: string | null = null): Change {
    return this.write(forgotten ? "forget" : "restore", ids, (entry) => {
      const at = new Date().toISOString();
      entry.detail.forgotten = forgotten ? { at, reason: "asked", note, runId: null } : null;
      entry.detail.row.forgottenAt = forgotten ? at : null;
    });
  }

  private startDownload(id: string) {
    const model = this.models.find((it) => it.id === id);
    if (!model) throw fail("not_found", "No such model.");
    let downloaded = 0;
    const total = model.sizeMb * 1e6;
    this.download = setInterval(() => {
      downloaded = Math.min(total, downloaded + total / 20);
      const done = downloaded >= total;
      if (done) {
        clearInterval(this.download);
        model.installed = true;
        this.emit("models");
      }
      void emitEvent.modelProgress.emit({
        modelId: id,
        downloaded,
        total,
        state: done ? "done" : "downloading",
        message: null,
      });
    }, 120);
    return null;
  }

  private selectModel(id: string) {
    for (const model of this.models) model.active = model.id === id;
    this.modelState = "ready";
    this.emit("models");
    return null;
  }

  private rename(id: string, name: string): WorkspaceView {
    if (this.workspaces.some((it) => it.id !== id && it.name.toLowerCase() === name.toLowerCase())) {
      throw fail("already_exists", "There is a workspace of that name.", { field: "name" });
    }
    const workspace = this.workspaces.find((it) => it.id === id);
    if (!workspace) throw fail("not_found", "No such workspace.");
    workspace.name = name;
    workspace.damaged = null;
    this.emit("workspaces");
    return workspace;
  }

  private addWorkspace(name: string): WorkspaceView {
    if (/[/\\:*?"<>|]/.test(name)) {
      throw fail("invalid", 'A workspace name cannot hold any of / \\ : * ? " < > |', { field: "name" });
    }
    const workspace: WorkspaceView = {
      id: `ws-${this.workspaces.length + 1}`,
      name,
      createdAt: new Date().toISOString(),
      current: false,
      damaged: null,
    };
    this.workspaces.push(workspace);
    return this.rename(workspace.id, name);
  }

  private switchTo(id: string): WorkspaceView {
    for (const workspace of this.workspaces) workspace.current = workspace.id === id;
    for (const topic of ["workspaces", "memories", "channels"] as const) this.emit(topic);
    return this.workspaces.find((it) => it.current) as WorkspaceView;
  }

  private commands: Record<string, (args: never) => unknown> = {
    app_status: () => this.status(),
    list_workspaces: () => this.workspaces,
    create_workspace: ({ name }: { name: string }) => this.addWorkspace(name),
    switch_workspace: ({ id }: { id: string }) => this.switchTo(id),
    rename_workspace: ({ id, name }: { id: string; name: string }) => this.rename(id, name),
    delete_workspace: ({ id }: { id: string }) => {
      this.workspaces = this.workspaces.filter((it) => it.id !== id);
      const [first] = this.workspaces;
      if (first && !this.workspaces.some((it) => it.current)) this.switchTo(first.id);
      this.emit("workspaces");
      return null;
    },
    load_sample_world: () => {
      this.offerSample = false;
      this.entries.clear();
      this.fill([...SEEDS, ...generated(180)]);
      const sample = {
        id: "ws-sample",
        name: "Saltmere",
        createdAt: new Date().toISOString(),
        current: false,
        damaged: null,
      };
      this.workspaces.push(sample);
      return this.switchTo(sample.id);
    },
    dismiss_sample: () => {
      this.offerSample = false;
      this.emit("settings");
      return null;
    },
    scope_counts: ({ filter }: { filter: MemoryFilter }) => {
      const counts = { account: 0, workspace: 0, channel: 0, conversation: 0 };
      for (const entry of this.entries.values())
        if (passes(entry, filter, "scope")) counts[entry.detail.row.scope] += 1;
      return counts;
    },
    facet_counts: ({ filter }: { filter: MemoryFilter }) => facetCounts([...this.entries.values()], filter),
    list_memories: ({ request }: { request: ListRequest }) => this.list(request),
    search_memories: ({ request }: { request: SearchRequest }) => {
      const entries = [...this.entries.values()].filter((it) => passes(it, request.filter));
      const hybrid = this.modelState === "ready";
      return search(entries, request, hybrid, hybrid ? null : "no model", Date.now());
    },
    get_memory: ({ id }: { id: string }) => this.need(id).detail,
    create_memory: ({ memory }: { memory: NewMemory }) => this.create(memory),
    update_memory: (a: { id: string; version: number; patch: MemoryPatch }) =>
      this.update(a.id, a.version, a.patch),
    forget_memories: ({ ids, note }: { ids: string[]; note: string | null }) =>
      this.forgetting(ids, true, note),
    restore_memories: ({ ids }: { ids: string[] }) => this.forgetting(ids, false),
    tag_memories: ({ ids, add, remove }: { ids: string[]; add: string[]; remove: string[] }) =>
      this.write("edit", ids, ({ detail: { row } }) => {
        row.tags = [...new Set([...row.tags.filter((tag) => !remove.includes(tag)), ...add])];
      }),
    set_lifetime: ({ ids, lifetime }: { ids: string[]; lifetime: Entry["detail"]["row"]["lifetime"] }) =>
      this.write("edit", ids, (entry) => {
        entry.detail.row.lifetime = lifetime;
      }),
    undo_change: ({ changeId }: { changeId: string }) => this.undo(changeId),
    undo_last: () => this.undo([...this.undos.keys()].at(-1) ?? ""),
    memory_history: ({ id }: { id: string }) => this.need(id).history,
    restore_version: (a: { id: string; version: number; currentVersion: number }) => {
      const old = this.need(a.id).history.find((item) => item.version === a.version);
      if (!old) throw fail("not_found", "No such version.");
      return this.update(a.id, a.currentVersion, {
        content: old.content,
        importance: old.importance,
        tags: old.tags,
        lifetime: old.lifetime,
        pinned: old.pinned,
      });
    },
    decay_curve: ({ id }: { id: string }) => this.curve(id),
    preview_decay: ({ rates }: { rates: DecayRates }): TierCurve[] =>
      TIERS.map((scope) => {
        const rate = rates[scope];
        const at = (day: number) => (rate === null ? 1 : rate ** (day * 24));
        return {
          scope,
          ratePerHour: rate,
          retention7d: at(7),
          points: Array.from({ length: 61 }, (_, day) => at(day)),
        };
      }),
    get_settings: () => this.settings,
    update_settings: ({ settings }: { settings: Settings }) => {
      if (this.readOnly) throw fail("read_only", "The data folder cannot be written.");
      this.settings = settings;
      this.emit("settings");
      return settings;
    },
    list_models: () => this.models,
    model_status: () => this.modelStatus(),
    fetch_model: ({ id }: { id: string }) => this.startDownload(id),
    cancel_fetch: () => {
      clearInterval(this.download);
      void emitEvent.modelProgress.emit({
        modelId: "NomicEmbedTextV15Q",
        downloaded: 0,
        total: 1,
        state: "cancelled",
        message: null,
      });
      return null;
    },
    use_model: ({ id }: { id: string }) => this.selectModel(id),
    use_model_folder: ({ path }: { path: string }) => {
      if (!path.startsWith("/")) throw fail("invalid", "This is not a full path.", { field: "path" });
      return null;
    },
    embed_now: () => {
      for (const entry of this.entries.values()) entry.detail.row.hasEmbedding = true;
      void emitEvent.embedProgress.emit({ done: this.entries.size, total: this.entries.size });
      this.emit("models");
      this.emit("memories");
      return null;
    },
  };
}
