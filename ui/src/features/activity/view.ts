import { getRouteApi } from "@tanstack/react-router";
import { useCallback } from "react";
import { z } from "zod";
import type { MessageKey } from "../../i18n/messages";

export const TABS = ["proposals", "drift", "runs", "changes", "tasks", "recall", "telemetry"] as const;
export const STATES = ["open", "accepted", "rejected", "superseded"] as const;
export const DRIFT_STATES = ["open", "settled", "superseded"] as const;
/** What is shown of how agents work: each action, what recurs, values by day, and the sequences of actions. */
export const TELEMETRY_PARTS = ["actions", "patterns", "measures", "sequences"] as const;
export const OUTCOMES = ["done", "empty", "proposed", "refused", "failed"] as const;
export const DAYS = [7, 30, 90] as const;
export const ACTOR_KINDS = ["author", "agent", "import", "system"] as const;

const optional = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

/** The whole state of the Activity page that Back and a link should bring back. */
export const activityView = z.object({
  page: optional(z.enum(TABS)),
  /** Which proposals are listed; the open ones unless another state, or all, was asked for. */
  state: optional(z.enum([...STATES, "all"])),
  /** Which contradictions are listed; the open ones unless others were asked for. */
  drift: optional(z.enum([...DRIFT_STATES, "all"])),
  actorKind: optional(z.enum(ACTOR_KINDS)),
  /** The proposal, the contradiction or the run that is open, or the change that is pointed at. */
  id: optional(z.string().max(100)),
  /** Whether the preview of a consolidation is open. */
  preview: optional(z.boolean()),
  part: optional(z.enum(TELEMETRY_PARTS)),
  outcome: optional(z.enum(OUTCOMES)),
  /** Id of a client, or `world_agent`. */
  by: optional(z.string().max(100)),
  /** What the listed actions were done to. */
  target: optional(z.string().max(100)),
  /** The sequence whose actions are listed. */
  sequence: optional(z.string().max(100)),
  /** How many days the measures go back. */
  days: optional(z.literal(DAYS)),
  /** The measures as numbers. */
  numbers: optional(z.boolean()),
  /** What sequences are searched for. */
  q: optional(z.string().max(1000)),
});

export type ActivityView = z.infer<typeof activityView>;
export type Tab = (typeof TABS)[number];

/** What the command is called that opens a tab. */
export const TAB_COMMANDS: Record<Tab, MessageKey> = {
  proposals: "command.goProposals",
  drift: "command.goDrift",
  runs: "command.goRuns",
  changes: "command.goChanges",
  tasks: "command.goTasks",
  recall: "command.goRecall",
  telemetry: "command.goTelemetry",
};

const route = getRouteApi("/activity");

export type Go = (patch: Partial<ActivityView>, options?: { replace?: boolean }) => void;

/** Reads the view from the address, and changes it there. */
export function useView() {
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const go: Go = useCallback(
    (patch, options) => {
      void navigate({ search: (old) => ({ ...old, ...patch }), replace: options?.replace ?? false });
    },
    [navigate],
  );
  return { view, go };
}
