import { TriangleAlert } from "lucide-react";
import { Time } from "../../../components/Time";
import { useI18n } from "../../../i18n/i18n";
import type { DriftSide, DriftView } from "../../../ipc/bindings.gen";
import { Line } from "./Line";
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
      <OfSide name={t("drift.canon")} side={canon} className="text-ink" />
      <OfSide name={t("drift.statement")} side={statement} className="text-ink-2" />
    </div>
  );
}

type OfSideProps = { name: string; side: DriftSide; className: string };

function OfSide({ name, side, className }: OfSideProps) {
  const { t } = useI18n();
  const { Icon, line } = kindOf(side);
  return (
    <Line name={name} icon={<Icon side={side} size={13} />} className={className}>
      {line(side, t)}
    </Line>
  );
}
