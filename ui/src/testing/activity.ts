import type {
  Change,
  ChangeAction,
  ChangedEntry,
  ChangeTopic,
  ConsolidationSettings,
  Decided,
  Decision,
  Door,
  Hand,
  JournalPage,
  JournalView,
  ProposalPage,
  ProposalRequest,
  ProposalView,
  TaskView,
} from "../ipc/bindings.gen";
import { journalSeeds, proposalSeeds, taskSeeds } from "./activitySeeds";
import { Runs } from "./runs";
import { type Entry, fail } from "./store";

/** What proposals, runs and tasks need of the rest of the stand-in. */
export function changedEntry({ detail }: Entry): ChangedEntry {
  return { id: detail.row.id, name: detail.row.name, preview: detail.row.preview.slice(0, 160) };
}

export type ActivityHost = {
  entries: Map<string, Entry>;
  readOnly: boolean;
  write(
    action: ChangeAction,
    ids: string[],
    change: (entry: Entry) => void,
    hand?: Hand,
    door?: Door,
    runId?: string | null,
  ): Change;
  undo(changeId: string): Change;
  emit(topic: ChangeTopic): void;
};

const set = (entry: Entry, content: string) => {
  entry.detail.content = content;
  entry.detail.row.preview = content.slice(0, 400);
};

const forget = (entry: Entry, into: string | null = null) => {
  const at = new Date().toISOString();
  entry.detail.forgotten = { at, reason: "proposal_accepted", note: null, runId: null };
  entry.detail.row.forgottenAt = at;
  entry.detail.consolidatedInto = into;
};

/** The proposals inbox, the tasks and the journal; runs stand in `runs.ts`. */
export class Activity {
  proposals: ProposalView[];
  tasks: TaskView[];
  journal: JournalView[] = journalSeeds();
  runs: Runs;
  settings: ConsolidationSettings = {
    automatic: true,
    idleMinutes: 20,
    queueDepth: 50,
    cap: 0,
    rewrite: true,
  };
  private reopen = new Map<string, string[]>();

  constructor(private readonly host: ActivityHost) {
    this.proposals = proposalSeeds(host.entries);
    this.tasks = taskSeeds();
    this.runs = new Runs(host);
  }

  /** Every write of the stand-in is noted here. */
  note(row: Omit<JournalView, "at" | "undoneBy">) {
    const undone = this.journal.find((it) => it.changeId === row.undoes);
    if (undone) undone.undoneBy = row.changeId;
    this.journal.unshift({ ...row, at: new Date().toISOString(), undoneBy: null });
  }

  /** Taking back a decision puts its proposals in the inbox again. */
  undone(changeId: string) {
    const ids = this.reopen.get(changeId) ?? [];
    for (const proposal of this.proposals) {
      if (!ids.includes(proposal.id)) continue;
      proposal.state = "open";
      proposal.decidedAt = null;
    }
    if (ids.length > 0) this.tell("proposals");
  }

  private tell(topic: ChangeTopic) {
    setTimeout(() => this.host.emit(topic), 5);
  }

  private writable() {
    if (this.host.readOnly) throw fail("read_only", "The data folder cannot be written.");
  }

  /** As it stands now: what changed since it was filed is said, not hidden. */
  private view(proposal: ProposalView): ProposalView {
    const subjects = proposal.subjects.map((subject) => {
      const entry = this.host.entries.get(subject.id);
      const row = entry && !entry.detail.forgotten ? entry.detail.row : null;
      return { ...subject, row, changedSince: entry?.detail.row.version !== subject.version };
    });
    const gone = proposal.state === "open" && subjects.some((it) => it.row === null);
    return { ...proposal, subjects, state: gone ? "superseded" : proposal.state };
  }

  private list({ state, after, limit }: ProposalRequest): ProposalPage {
    const all = this.proposals
      .map((it) => this.view(it))
      .filter((it) => state === null || it.state === state)
      .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
    const start = after ? all.findIndex((it) => it.id === after) + 1 : 0;
    const rows = all.slice(start, start + limit);
    return { rows, next: start + limit < all.length ? (rows.at(-1)?.id ?? null) : null };
  }

  private carryOut(proposal: ProposalView, decision: Decision): Change | null {
    const view = this.view(proposal);
    if (view.state !== "open") throw fail("invalid", "It is decided already.");
    if (decision.kind === "reject" || view.kind === "new") return null;
    if (view.subjects.some((it) => it.changedSince))
      throw fail("stale_version", "The memory changed since this was proposed.");
    const ids = view.subjects.map((it) => it.id);
    const [first = "", ...others] = ids;
    const conflict = view.kind === "conflict";
    if (conflict !== (decision.kind === "newer_wins" || decision.kind === "older_wins"))
      throw fail("invalid", "That is no answer to this proposal.");
    if (conflict) {
      const age = [...view.subjects].sort((a, b) =>
        (a.row?.updatedAt ?? "") < (b.row?.updatedAt ?? "") ? -1 : 1,
      );
      const [loser, winner] = decision.kind === "newer_wins" ? age : age.reverse();
      return this.host.write("forget", [loser?.id ?? ""], (it) => forget(it, winner?.id));
    }
    if (view.kind === "retire") return this.host.write("forget", ids, (it) => forget(it));
    const content = decision.kind === "accept_edited" ? decision.content : (view.content ?? "");
    return this.host.write("edit", [first, ...others], (it) =>
      it.detail.row.id === first ? set(it, content) : forget(it, first),
    );
  }

  private decide(ids: string[], decision: Decision): Decided {
    this.writable();
    const result: Decided = { decided: [], failed: [], changeIds: [] };
    for (const id of ids) {
      const proposal = this.proposals.find((it) => it.id === id);
      try {
        if (!proposal) throw fail("not_found", "There is no such proposal.");
        const change = this.carryOut(proposal, decision);
        proposal.state = decision.kind === "reject" ? "rejected" : "accepted";
        proposal.decidedAt = new Date().toISOString();
        if (change) {
          this.reopen.set(change.changeId, [id]);
          result.changeIds.push(change.changeId);
        }
        result.decided.push(this.view(proposal));
      } catch (error) {
        result.failed.push({ id, message: (error as { message: string }).message });
      }
    }
    this.tell("proposals");
    return result;
  }

  private changes(hand: Hand | null, after: string | null, limit: number): JournalPage {
    const all = this.journal.filter((it) => hand === null || it.hand === hand);
    const start = after ? all.findIndex((it) => it.changeId === after) + 1 : 0;
    const entries = [...this.host.entries.values()];
    const rows = all.slice(start, start + limit).map((row, n) => {
      const old = row.changeId.startsWith("old-") ? entries[(start + n) % entries.length] : undefined;
      return { ...row, about: row.about ?? (old && changedEntry(old)) };
    });
    return { rows, next: start + limit < all.length ? (rows.at(-1)?.changeId ?? null) : null };
  }

  private runTask(name: string) {
    this.writable();
    const task = this.tasks.find((it) => it.name === name);
    if (!task) throw fail("not_found", "There is no such task.");
    if (task.running) throw fail("busy", "It runs already.");
    Object.assign(task, { running: true, lastStartedAt: new Date().toISOString(), message: null });
    this.tell("runs");
    return new Promise((resolve) => {
      setTimeout(() => {
        const now = Date.now();
        Object.assign(task, {
          running: false,
          outcome: "done",
          lastFinishedAt: new Date(now).toISOString(),
          nextDueAt: task.everyMinutes && new Date(now + task.everyMinutes * 60_000).toISOString(),
        });
        this.tell("runs");
        resolve(structuredClone(task));
      }, this.runs.pace * 4);
    });
  }

  commands: Record<string, (args: never) => unknown> = {
    list_proposals: ({ request }: { request: ProposalRequest }) => this.list(request),
    count_proposals: () => this.proposals.filter((it) => this.view(it).state === "open").length,
    decide_proposals: ({ ids, decision }: { ids: string[]; decision: Decision }) =>
      this.decide(ids, decision),
    consolidation_settings: () => this.settings,
    set_consolidation_settings: ({ settings }: { settings: ConsolidationSettings }) => {
      this.writable();
      this.settings = settings;
      this.tell("settings");
      return settings;
    },
    list_tasks: () => this.tasks,
    run_task: ({ name }: { name: string }) => this.runTask(name),
    list_changes: (a: { hand: Hand | null; after: string | null; limit: number }) =>
      this.changes(a.hand, a.after, a.limit),
  };
}
