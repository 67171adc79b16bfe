import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Action, useActions } from "../../components/actions";
import { Tabs } from "../../components/Tabs";
import { useI18n } from "../../i18n/i18n";
import { recallTestsQuery, statusQuery } from "../../ipc/queries";
import { ChangesPane } from "./ChangesPane";
import { DriftPane } from "./drift/DriftPane";
import { ProposalsPane } from "./proposals/ProposalsPane";
import { RecallPane } from "./recall/RecallPane";
import { RunsPane } from "./runs/RunsPane";
import { TasksPane } from "./TasksPane";
import { TelemetryPane } from "./telemetry/TelemetryPane";
import { useOpenCounts } from "./useOpenCounts";
import { TAB_COMMANDS, TABS, type Tab, useView } from "./view";

const PANEL = "activity-panel";

/** What was proposed, done and changed, by whom, and the way back from each. */
export function ActivityPage() {
  const { t } = useI18n();
  const { view, go } = useView();
  const tab = view.page ?? "proposals";
  const open = useOpenCounts();
  const failed = useQuery(recallTestsQuery).data?.filter((test) => test.passed === false).length ?? 0;
  const readOnly = useQuery(statusQuery).data?.readOnly ?? false;
  const show = (next: Tab) => go({ page: next, id: undefined, preview: undefined });
  useActions(
    useMemo(
      () =>
        TABS.map(
          (name): Action => ({
            id: `activity.${name}`,
            group: "activity",
            label: t(TAB_COMMANDS[name]),
            run: () => go({ page: name, id: undefined, preview: undefined }),
          }),
        ),
      [t, go],
    ),
  );
  return (
    <div className="flex h-full min-w-0 flex-col">
      <div className="flex shrink-0 flex-wrap items-end justify-between gap-x-8 border-b border-line pr-4 pl-2">
        <h1 className="sr-only">{t("nav.activity")}</h1>
        <Tabs
          label={t("activity.tabs")}
          panel={PANEL}
          tabs={TABS}
          value={tab}
          onChange={show}
          className="pt-2"
        >
          {(it) => (
            <>
              {t(`activity.tab.${it}`)}
              {it === "proposals" && open.proposals > 0 && (
                <Badge
                  count={open.proposals}
                  words={t("nav.activityOpen", { count: open.proposals })}
                  className="text-accent"
                />
              )}
              {it === "drift" && open.drifts > 0 && (
                <Badge
                  count={open.drifts}
                  words={t("drift.openCount", { count: open.drifts })}
                  className="text-accent"
                />
              )}
              {it === "recall" && failed > 0 && (
                <Badge
                  count={failed}
                  words={t("recall.failedCount", { count: failed })}
                  className="text-danger"
                />
              )}
            </>
          )}
        </Tabs>
      </div>
      <div
        id={PANEL}
        role="tabpanel"
        aria-labelledby={`${PANEL}-${tab}`}
        className="flex min-h-0 min-w-0 flex-1"
      >
        {tab === "proposals" && <ProposalsPane readOnly={readOnly} />}
        {tab === "drift" && <DriftPane readOnly={readOnly} />}
        {tab === "runs" && <RunsPane readOnly={readOnly} />}
        {tab === "changes" && <ChangesPane readOnly={readOnly} />}
        {tab === "tasks" && <TasksPane readOnly={readOnly} />}
        {tab === "recall" && <RecallPane readOnly={readOnly} />}
        {tab === "telemetry" && <TelemetryPane readOnly={readOnly} />}
      </div>
    </div>
  );
}

type BadgeProps = { count: number; words: string; className: string };

/** A number on a tab; words for those who do not see it. */
function Badge({ count, words, className }: BadgeProps) {
  const { number } = useI18n();
  return (
    <span className={`tabular text-meta ${className}`}>
      <span aria-hidden>{number(count)}</span>
      <span className="sr-only">, {words}</span>
    </span>
  );
}
