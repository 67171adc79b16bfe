import { Link } from "@tanstack/react-router";
import { plain } from "../../../../components/plain";
import { Time } from "../../../../components/Time";
import { useI18n } from "../../../../i18n/i18n";
import type { AgentActionView } from "../../../../ipc/bindings.gen";
import { actionWords } from "../words";
import { Outcome } from "./Outcome";

/** One call of a tool: when, by whom, what, how it ended, and how long it took. */
export function ActionRow({ row }: { row: AgentActionView }) {
  const { t } = useI18n();
  return (
    <>
      <Time iso={row.at} className="tabular w-28 shrink-0 text-meta text-ink-3" />
      <span className="w-32 shrink-0 truncate text-ink-2" title={row.client ?? undefined}>
        {row.client ?? t("telemetry.agent")}
      </span>
      <p className="flex min-w-0 flex-1 items-baseline gap-x-2">
        <span className="shrink-0 text-ink">{actionWords(row.action, t)}</span>
        <Target row={row} />
      </p>
      <span className="w-56 shrink-0">
        <Outcome row={row} />
      </span>
      <span className="tabular w-16 shrink-0 text-right text-meta text-ink-3">
        <span aria-hidden>{t("telemetry.ms", { count: row.latencyMs })}</span>
        <span className="sr-only">{t("telemetry.msWords", { count: row.latencyMs })}</span>
      </span>
    </>
  );
}

const LINK = "min-w-0 truncate rounded-sm hover:text-accent hover:underline";

/** What it was done to, if it was one thing, with the way there. */
function Target({ row: { target, targetId, label } }: { row: AgentActionView }) {
  const { t } = useI18n();
  if (targetId === null) return null;
  if (label === "") return <span className="truncate text-ink-3">{t("telemetry.targetGone")}</span>;
  const text = plain(label).text;
  if (target === "conversation")
    return (
      <Link to="/conversations/$ref" params={{ ref: label }} search={{}} className={`${LINK} text-ink`}>
        {text}
      </Link>
    );
  if (target === "memory" || target === "subject")
    return (
      <Link
        to={target === "memory" ? "/memory" : "/world"}
        search={{ id: targetId }}
        className={`${LINK} font-serif text-[0.9375rem] leading-6 text-ink`}
      >
        {text}
      </Link>
    );
  return <span className="min-w-0 truncate text-ink-2">{text}</span>;
}
