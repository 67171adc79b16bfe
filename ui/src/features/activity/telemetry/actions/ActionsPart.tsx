import { useNavigate } from "@tanstack/react-router";
import { Button } from "../../../../components/Button";
import { Empty, Failed } from "../../../../components/States";
import { usePages } from "../../../../components/usePages";
import { useI18n } from "../../../../i18n/i18n";
import type { AgentActionFilter, AgentActionView } from "../../../../ipc/bindings.gen";
import { core } from "../../../../ipc/client";
import { keys } from "../../../../ipc/keys";
import { Loading } from "../../Loading";
import { LongList } from "../../LongList";
import { useView } from "../../view";
import { ActionRow } from "./ActionRow";
import { Narrowed } from "./Narrowed";

const ROW = 52;
const PAGE = 100;
const idOf = (row: AgentActionView) => row.id;

/** What agents did, newest first. */
export function ActionsPart() {
  const { t } = useI18n();
  const { view, go } = useView();
  const navigate = useNavigate();
  const filter: AgentActionFilter = {
    by: view.by ?? null,
    outcome: view.outcome ?? null,
    targetId: view.target ?? null,
    sequenceId: view.sequence ?? null,
    limit: PAGE,
  };
  const query = usePages(
    keys.agentActions(filter),
    (after) => core.listAgentActions({ ...filter, after }),
    idOf,
  );
  const { rows, more } = query;
  const isFiltered = [view.by, view.outcome, view.target, view.sequence].some((it) => it !== undefined);
  const dropped = query.data?.pages[0]?.dropped ?? 0;
  const body = () => {
    if (query.error && rows.length === 0)
      return <Failed error={query.error} onRetry={() => void query.refetch()} />;
    if (query.isPending) return <Loading height={ROW} />;
    if (rows.length > 0)
      return (
        <LongList
          label={t("telemetry.list")}
          rows={rows}
          keyOf={idOf}
          height={ROW}
          more={more}
          moreText={t("telemetry.more")}
        >
          {(row) => <ActionRow row={row} />}
        </LongList>
      );
    if (!isFiltered)
      return (
        <Empty title={t("telemetry.none.title")} body={t("telemetry.none.body")}>
          <Button onClick={() => void navigate({ to: "/conversations", search: {} })}>
            {t("command.goConversations")}
          </Button>
          <Button onClick={() => void navigate({ to: "/control", search: { part: "clients" } })}>
            {t("clients.list")}
          </Button>
        </Empty>
      );
    const isOfTarget = view.target !== undefined && view.by === undefined && view.outcome === undefined;
    const none = isOfTarget ? "noneHere" : "noneOf";
    return (
      <Empty title={t(`telemetry.${none}.title`)} body={t(`telemetry.${none}.body`)}>
        <Button
          onClick={() => go({ by: undefined, outcome: undefined, target: undefined, sequence: undefined })}
        >
          {t("telemetry.noneOf.all")}
        </Button>
      </Empty>
    );
  };
  return (
    <>
      <Narrowed />
      {dropped > 0 && (
        <p role="status" className="max-w-270 shrink-0 px-4 py-2 text-meta text-ink-2">
          {t("telemetry.dropped", { count: dropped })}
        </p>
      )}
      {body()}
    </>
  );
}
