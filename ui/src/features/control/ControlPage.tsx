import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import { useMemo } from "react";
import { type Action, useActions } from "../../components/actions";
import { DocumentPage } from "../../components/DocumentPage";
import { Tabs } from "../../components/Tabs";
import { useI18n } from "../../i18n/i18n";
import { damagedQuery, statusQuery } from "../../ipc/queries";
import { AuditPane } from "./AuditPane";
import { BackupsPane } from "./backups/BackupsPane";
import { ClientsPane } from "./clients/ClientsPane";
import { OverviewPane } from "./OverviewPane";
import { ScrubPane } from "./scrub/ScrubPane";
import { TABS, useView } from "./view";

const PANEL = "control-panel";

/** For the operator in the worldbuilder: what there is, what was destroyed, who else comes in, and the way back. */
export function ControlPage() {
  const { t, number } = useI18n();
  const { view, go } = useView();
  const tab = view.part ?? "overview";
  const readOnly = useQuery(statusQuery).data?.readOnly ?? false;
  const damaged = useQuery(damagedQuery).data?.length ?? 0;
  useActions(
    useMemo(
      () =>
        TABS.map(
          (it): Action => ({
            id: `control.tab.${it}`,
            group: "control",
            label: t(`command.control.${it}`),
            run: () => go({ part: it, client: undefined, entry: undefined }),
          }),
        ),
      [t, go],
    ),
  );
  return (
    <DocumentPage
      wide
      title={t("control.title")}
      back={
        <Link
          to="/settings"
          className="-ml-1 inline-flex min-h-6 items-center gap-1 rounded-sm pr-1 text-meta text-ink-2 hover:text-accent"
        >
          <ChevronLeft size={14} aria-hidden />
          {t("control.back")}
        </Link>
      }
    >
      <div className="mt-4 border-b border-line">
        <Tabs
          label={t("control.tabs")}
          panel={PANEL}
          tabs={TABS}
          value={tab}
          onChange={(next) => go({ part: next, client: undefined, entry: undefined })}
          className="-ml-2"
        >
          {(it) => (
            <>
              {t(`control.tab.${it}`)}
              {it === "backups" && damaged > 0 && (
                <span className="tabular text-meta text-danger">
                  <span aria-hidden>{number(damaged)}</span>
                  <span className="sr-only">, {t("backup.banner", { count: damaged })}</span>
                </span>
              )}
            </>
          )}
        </Tabs>
      </div>
      <div id={PANEL} role="tabpanel" aria-labelledby={`${PANEL}-${tab}`} className="pt-6">
        {tab === "overview" && <OverviewPane />}
        {tab === "scrub" && <ScrubPane key={view.entry} readOnly={readOnly} entry={view.entry} />}
        {tab === "clients" && <ClientsPane readOnly={readOnly} />}
        {tab === "audit" && <AuditPane />}
        {tab === "backups" && <BackupsPane readOnly={readOnly} />}
      </div>
    </DocumentPage>
  );
}
