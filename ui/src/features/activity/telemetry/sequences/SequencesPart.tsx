import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Button } from "../../../../components/Button";
import { Empty, Failed } from "../../../../components/States";
import { Time } from "../../../../components/Time";
import { useI18n } from "../../../../i18n/i18n";
import type { AgentSequenceView } from "../../../../ipc/bindings.gen";
import { agentSequencesQuery, MOST_SEQUENCES } from "../../../../ipc/queries";
import { Loading } from "../../Loading";
import { useView } from "../../view";

/** The sequences that are like what is searched for, or the newest ones. */
export function SequencesPart() {
  const { t } = useI18n();
  const { view, go } = useView();
  const wanted = view.q?.trim() ?? "";
  const { data, error, refetch, isPending } = useQuery(agentSequencesQuery(wanted));
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Loading height={72} />;
  if (data?.length === 0)
    return wanted === "" ? (
      <Empty title={t("telemetry.sequence.none.title")} body={t("telemetry.sequence.none.body")} />
    ) : (
      <Empty title={t("telemetry.sequence.noneFound.title")} body={t("telemetry.sequence.noneFound.body")}>
        <Button onClick={() => go({ q: undefined })}>{t("telemetry.sequence.clear")}</Button>
      </Empty>
    );
  return (
    <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
      <div className="max-w-270 px-4 pb-16">
        <ul aria-label={t("telemetry.sequence.list")}>
          {data?.map((sequence) => (
            <li key={sequence.id} className="border-b border-line py-3">
              <Sequence sequence={sequence} />
            </li>
          ))}
        </ul>
        {data?.length === MOST_SEQUENCES && (
          <p className="mt-3 text-meta text-ink-3">
            {t("telemetry.sequence.limit", { count: MOST_SEQUENCES })}
          </p>
        )}
      </div>
    </div>
  );
}

const LINK =
  "ml-2 inline-flex min-h-6 items-center rounded-sm text-meta text-ink-2 hover:text-accent hover:underline";

function Sequence({ sequence }: { sequence: AgentSequenceView }) {
  const { t, relative } = useI18n();
  const who = sequence.client ?? t("telemetry.agent");
  return (
    <>
      <p className="text-ui text-pretty text-ink">{sequence.summary}</p>
      <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-meta text-ink-3">
        <span className="text-ink-2">{who}</span>
        <span aria-hidden>·</span>
        <Time iso={sequence.endedAt} className="tabular" />
        <span aria-hidden>·</span>
        <span className="tabular">{t("telemetry.sequence.actions", { count: sequence.actions })}</span>
        <span className="flex-1" />
        {sequence.conversationId !== null && (
          <Link
            to="/conversations/$ref"
            params={{ ref: sequence.conversationId }}
            search={{}}
            className={LINK}
          >
            {t("telemetry.sequence.conversation")}
          </Link>
        )}
        <Link
          to="/activity"
          search={{ page: "telemetry", part: "actions", sequence: sequence.id }}
          aria-label={t("telemetry.sequence.seeOf", { who, when: relative(sequence.endedAt) })}
          className={LINK}
        >
          {t("telemetry.sequence.see")}
        </Link>
      </p>
    </>
  );
}
