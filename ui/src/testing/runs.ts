import type {
  ConsolidationPreview,
  MemoryRow,
  Reverted,
  RunCounts,
  RunItem,
  RunView,
} from "../ipc/bindings.gen";
import { emitEvent } from "../ipc/mock";
import type { ActivityHost } from "./activity";
import { type Entry, fail, HOUR, idOf } from "./store";

const NONE: RunCounts = {
  scanned: 0,
  promoted: 0,
  faded: 0,
  merged: 0,
  capped: 0,
  rewritten: 0,
  created: 0,
  proposed: 0,
};
const STAGES = ["Reading what there is", "Looking for what says the same", "Letting what faded go"];
const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();

/** What a run wrote, so that it can be taken back: the entry before, and the version it became. */
type Wrote = { id: string; before: Entry; version: number };

/** Consolidation and persist runs, with an honest way back. */
export class Runs {
  runs: RunView[];
  /** Milliseconds until the next step of a run; may be changed while one is under way. */
  pace = 30;
  private items = new Map<string, RunItem[]>();
  private wrote = new Map<string, Wrote[]>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private serial = 0;

  constructor(private readonly host: ActivityHost) {
    const run = (id: string, more: Partial<RunView>): RunView => ({
      id,
      task: "consolidate",
      state: "done",
      trigger: "idle",
      startedAt: ago(3),
      finishedAt: ago(2.99),
      done: 212,
      total: 212,
      counts: { ...NONE, scanned: 212 },
      error: null,
      revertedAt: null,
      ...more,
    });
    this.runs = [
      run("run-4", { counts: { ...NONE, scanned: 212, promoted: 2, rewritten: 1, proposed: 3 } }),
      run("run-3", {
        task: "persist",
        trigger: "closed",
        startedAt: ago(28),
        finishedAt: ago(27.99),
        total: 14,
        done: 14,
        counts: { ...NONE, scanned: 14, promoted: 1 },
      }),
      run("run-2", {
        state: "failed",
        trigger: "queue",
        startedAt: ago(74),
        finishedAt: ago(73.9),
        done: 40,
        error: "The language model did not answer. What was done before stays.",
      }),
      run("run-1", {
        state: "cancelled",
        trigger: "asked",
        startedAt: ago(190),
        finishedAt: ago(190),
        done: 64,
      }),
    ];
    this.seed("run-4", [
      ["promoted", 18, "recalled 6 times in 3 weeks"],
      ["promoted", 27, "recalled 5 times in 2 conversations"],
      ["rewritten", 21, "said twice what it says once now"],
    ]);
    this.seed("run-3", [["promoted", 30, "said again in another conversation"]]);
  }

  private seed(run: string, acts: [RunItem["act"], number, string][]) {
    const entries = acts.flatMap(([act, n, reason]) => {
      const entry = this.host.entries.get(idOf(n));
      return entry ? [{ act, entry, reason }] : [];
    });
    this.items.set(
      run,
      entries.map(({ act, entry, reason }) => ({ act, row: entry.detail.row, into: null, reason })),
    );
    this.wrote.set(
      run,
      entries.map(({ entry }) => {
        const before = structuredClone(entry);
        before.detail.row.lifetime = "short_term";
        return { id: entry.detail.row.id, before, version: entry.detail.row.version };
      }),
    );
  }

  /** Contradictions that a run would find; they are only proposed. */
  contradictions = 0;

  /** What would be done, on the store as it stands: the agent's own and unpinned entries alone. */
  private plan(): ConsolidationPreview {
    const free = [...this.host.entries.values()].filter(
      ({ detail }) => !detail.locked && !detail.row.pinned && !detail.forgotten,
    );
    const items: RunItem[] = [];
    for (const { detail } of free) {
      const { row } = detail;
      if (row.lifetime === "short_term" && row.importance < 0.3)
        items.push({ act: "faded", row, into: null, reason: "not used for long, and it matters little" });
      else if (row.lifetime === "short_term" && row.importance > 0.7)
        items.push({ act: "promoted", row, into: null, reason: "important, and recalled often" });
    }
    const count = (act: RunItem["act"]) => items.filter((it) => it.act === act).length;
    return {
      counts: {
        ...NONE,
        scanned: free.length,
        promoted: count("promoted"),
        faded: count("faded"),
        proposed: this.contradictions,
      },
      items: items.slice(0, 500),
    };
  }

  private say(run: RunView, stage: string) {
    void emitEvent.runProgress.emit({ run: structuredClone(run), stage });
  }

  private begin(): RunView {
    if (this.host.readOnly) throw fail("read_only", "The data folder cannot be written.");
    if (this.runs.some((it) => it.state === "running")) throw fail("busy", "A run is under way.");
    this.serial += 1;
    const { counts, items } = this.plan();
    const run: RunView = {
      id: `run-new-${this.serial}`,
      task: "consolidate",
      state: "running",
      trigger: "asked",
      startedAt: new Date().toISOString(),
      finishedAt: null,
      done: 0,
      total: counts.scanned,
      counts: { ...NONE },
      error: null,
      revertedAt: null,
    };
    this.runs.unshift(run);
    const step = () => {
      run.done = Math.min(run.total, run.done + Math.max(1, Math.ceil(run.total / 12)));
      if (run.done < run.total) {
        this.say(run, STAGES[Math.floor((run.done / run.total) * STAGES.length)] ?? "");
        this.timer = setTimeout(step, this.pace);
        return;
      }
      this.carryOut(run, items);
      Object.assign(run, { counts, state: "done" });
      this.end(run);
    };
    this.timer = setTimeout(step, this.pace);
    setTimeout(() => this.host.emit("runs"), 5);
    return run;
  }

  private carryOut(run: RunView, items: RunItem[]) {
    const wrote: Wrote[] = [];
    for (const { act, row } of items) {
      const entry = this.host.entries.get(row.id);
      if (!entry) continue;
      const before = structuredClone(entry);
      this.host.write(
        act === "faded" ? "forget" : "edit",
        [row.id],
        (it) => {
          if (act !== "faded") {
            it.detail.row.lifetime = "long_term";
            return;
          }
          const at = new Date().toISOString();
          it.detail.forgotten = { at, reason: "faded", note: null, runId: run.id };
          it.detail.row.forgottenAt = at;
        },
        "system",
        "task",
        run.id,
      );
      wrote.push({ id: row.id, before, version: entry.detail.row.version });
    }
    this.items.set(run.id, items);
    this.wrote.set(run.id, wrote);
  }

  private end(run: RunView) {
    clearTimeout(this.timer);
    run.finishedAt = new Date().toISOString();
    this.say(run, "");
    setTimeout(() => this.host.emit("runs"), 5);
  }

  private need(id: string): RunView {
    const run = this.runs.find((it) => it.id === id);
    if (!run) throw fail("not_found", "There is no such run.");
    return run;
  }

  /** Takes back what is no consolidation: an import. */
  foreign: (id: string) => Reverted | null = () => null;

  private revert(id: string): Reverted {
    const run = this.need(id);
    if (run.state === "running" || run.state === "reverted")
      throw fail("invalid", "This run cannot be taken back.");
    const conflicts: MemoryRow[] = [];
    let restored = 0;
    for (const { id: entryId, before, version } of this.wrote.get(id) ?? []) {
      const entry = this.host.entries.get(entryId);
      if (!entry) continue;
      if (entry.detail.row.version !== version) {
        conflicts.push(entry.detail.row);
        continue;
      }
      this.host.write("undo", [entryId], (it) => {
        const { row } = it.detail;
        it.detail = structuredClone(before.detail);
        it.detail.row.version = row.version;
      });
      restored += 1;
    }
    Object.assign(run, { state: "reverted", revertedAt: new Date().toISOString() });
    setTimeout(() => this.host.emit("runs"), 5);
    return { run, restored, conflicts };
  }

  commands: Record<string, (args: never) => unknown> = {
    list_runs: ({ after, limit }: { after: string | null; limit: number }) => {
      const start = after ? this.runs.findIndex((it) => it.id === after) + 1 : 0;
      const rows = this.runs.slice(start, start + limit);
      return { rows, next: start + limit < this.runs.length ? (rows.at(-1)?.id ?? null) : null };
    },
    run_items: ({ id }: { id: string }) =>
      (this.items.get(this.need(id).id) ?? []).map((item) => ({
        ...item,
        row: this.host.entries.get(item.row.id)?.detail.row ?? item.row,
      })),
    preview_consolidation: () => this.plan(),
    run_consolidation: () => this.begin(),
    cancel_run: ({ task }: { task: string }) => {
      const run = this.runs.find((it) => it.state === "running" && it.task === task);
      if (run) {
        run.state = "cancelled";
        this.end(run);
      }
      return null;
    },
    revert_run: ({ id }: { id: string }) => this.foreign(id) ?? this.revert(id),
  };
}
