import { useQuery } from "@tanstack/react-query";
import { Select } from "../../../../components/Select";
import { useI18n } from "../../../../i18n/i18n";
import { clientsQuery, statusQuery } from "../../../../ipc/queries";
import { OUTCOMES, useView } from "../../view";
import { WORLD_AGENT } from "../words";
import { OutcomeIcon } from "./Outcome";

const ALL = "all";

/** Which actions are listed: of whom, and how they ended. */
export function ActionFilters() {
  const { t } = useI18n();
  const { view, go } = useView();
  const workspace = useQuery(statusQuery).data?.workspace?.id;
  const clients = useQuery(clientsQuery).data?.filter((it) => it.workspaceId === workspace);
  const named = [
    { value: ALL, label: t("telemetry.by.all") },
    { value: WORLD_AGENT, label: t("telemetry.byOne", { name: t("telemetry.agent") }) },
    ...(clients ?? []).map(({ id, name }) => ({ value: id, label: t("telemetry.byOne", { name }) })),
  ];
  const by = view.by ?? ALL;
  const isGone = clients !== undefined && !named.some((it) => it.value === by);
  return (
    <>
      <Select
        ghost
        label={t("telemetry.outcome")}
        value={view.outcome ?? ALL}
        onChange={(next) => go({ outcome: next === ALL ? undefined : next }, { replace: true })}
        options={[
          { value: ALL, label: t("telemetry.outcome.all") },
          ...OUTCOMES.map((it) => ({
            value: it,
            label: t(`telemetry.outcome.${it}`),
            icon: <OutcomeIcon outcome={it} />,
          })),
        ]}
      />
      <Select
        ghost
        label={t("telemetry.by")}
        value={by}
        onChange={(next) => go({ by: next === ALL ? undefined : next }, { replace: true })}
        options={isGone ? [...named, { value: by, label: t("telemetry.by.gone") }] : named}
      />
    </>
  );
}
