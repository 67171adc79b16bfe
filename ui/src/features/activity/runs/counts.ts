import type { I18n } from "../../../i18n/i18n";
import type { MessageKey } from "../../../i18n/messages";
import type { RunAct, RunCounts, RunView } from "../../../ipc/bindings.gen";

export const ACTS: readonly RunAct[] = ["promoted", "merged", "rewritten", "created", "faded", "capped"];
export const COUNTED = [
  "scanned",
  "promoted",
  "merged",
  "rewritten",
  "created",
  "faded",
  "capped",
  "proposed",
] as const;

const DONE = ["promoted", "merged", "rewritten", "created", "faded", "capped", "proposed"] as const;

const TASKS: Record<string, MessageKey> = {
  consolidate: "run.task.consolidate",
  persist: "run.task.persist",
};

/** What a run is called. One of a later release is simply a run. */
export const titleOf = (task: string): MessageKey => TASKS[task] ?? "run.task.other";

/** Whether a run did anything at all. */
export const did = (counts: RunCounts): boolean => DONE.some((it) => counts[it] > 0);

/** What a run did, in a few words. */
export function brief(counts: RunCounts, { t, list }: I18n, run?: RunView): string {
  const acts = DONE.filter((it) => counts[it] > 0);
  if (acts.length === 0 && run && run.state !== "done")
    return t("run.step", { done: run.done, total: run.total });
  if (acts.length === 0) return t("run.quiet", { scanned: counts.scanned });
  return list(acts.map((it) => t(`run.brief.${it}`, { count: counts[it] })));
}
