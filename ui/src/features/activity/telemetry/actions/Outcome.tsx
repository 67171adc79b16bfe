import { clsx } from "clsx";
import { Ban, Check, CircleAlert, CircleDashed, type LucideIcon, MessageSquareShare } from "lucide-react";
import { useI18n } from "../../../../i18n/i18n";
import type { AgentActionView, AgentOutcome } from "../../../../ipc/bindings.gen";

const ICONS: Record<AgentOutcome, LucideIcon> = {
  done: Check,
  empty: CircleDashed,
  proposed: MessageSquareShare,
  refused: Ban,
  failed: CircleAlert,
};

export function OutcomeIcon({ outcome }: { outcome: AgentOutcome }) {
  const Icon = ICONS[outcome];
  return <Icon size={14} className="shrink-0" aria-hidden />;
}

/** How an action ended, and why it was not done. */
export function Outcome({ row: { outcome, error } }: { row: AgentActionView }) {
  const { t } = useI18n();
  // That nothing was found is said by the outcome.
  const why = error !== null && error !== "nothing_found" ? t(`telemetry.error.${error}`) : null;
  return (
    <span className="flex min-w-0 items-start gap-1.5">
      <span
        className={clsx(
          "flex h-5 items-center",
          outcome === "refused" || outcome === "failed" ? "text-danger" : "text-ink-3",
        )}
      >
        <OutcomeIcon outcome={outcome} />
      </span>
      <span className="min-w-0">
        <span className="block truncate text-ui text-ink-2">{t(`telemetry.outcome.${outcome}`)}</span>
        {why !== null && (
          <span className="block truncate text-meta text-ink-3" title={why}>
            {why}
          </span>
        )}
      </span>
    </span>
  );
}
