import { TriangleAlert } from "lucide-react";
import { Time } from "../../../components/Time";
import { useI18n } from "../../../i18n/i18n";
import type { DriftSide, DriftView } from "../../../ipc/bindings.gen";
import { kindOf } from "./sides/kinds";

/** A contradiction in the list: the canon above what is stated against it. */
export function Row({ row }: { row: DriftView }) {
  const { t } = useI18n();
  const { state, decision, canon, statement, createdAt } = row;
  const isStale = state === "open" && (canon.changedSince || statement.changedSince);
  const what =
    decision !== null
      ? t(`drift.decision.${decision}`)
      : (state === "open" && kindOf(statement).writer(statement, t)) || t(`drift.state.${state}`);
  return (
    <div>
      <p className="flex items-center gap-2 text-meta whitespace-nowrap text-ink-2">
        <span className="min-w-0 truncate">{what}</span>
        {isStale && (
          <span className="inline-flex items-center gap-1 text-warn">
            <TriangleAlert size={11} aria-hidden />
            {t("drift.changedShort")}
          </span>
        )}
        <Time iso={createdAt} className="ml-auto shrink-0 text-ink-3" />
      </p>
      <Line name={t("drift.canon")} side={canon} className="text-ink" />
      <Line name={t("drift.statement")} side={statement} className="text-ink-2" />
    </div>
  );
}

type LineProps = { name: string; side: DriftSide; className: string };

function Line({ name, side, className }: LineProps) {
  const { t } = useI18n();
  const { Icon, line } = kindOf(side);
  return (
    <p className="flex items-center gap-2">
      <span className="sr-only">{name}: </span>
      <span className="flex w-3.5 shrink-0 justify-center">
        <Icon side={side} size={13} />
      </span>
      <span className={`min-w-0 truncate font-serif text-snippet leading-5.5! ${className}`}>
        {line(side, t)}
      </span>
    </p>
  );
}
