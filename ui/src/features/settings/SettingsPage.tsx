import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { DocumentPage } from "../../components/DocumentPage";
import { Failed } from "../../components/States";
import { useI18n } from "../../i18n/i18n";
import { settingsQuery, statusQuery } from "../../ipc/queries";
import { Appearance } from "./Appearance";
import { ChatSection } from "./ChatSection";
import { ConsolidationSection } from "./ConsolidationSection";
import { ControlSection } from "./ControlSection";
import { ConversationSection } from "./ConversationSection";
import { Data } from "./Data";
import { DecaySection } from "./DecaySection";
import { MemorySection } from "./MemorySection";
import { ModelSection } from "./ModelSection";
import { OrientationSection } from "./OrientationSection";
import { SearchSection } from "./SearchSection";
import { useSettingsActions, useSettingsWrite } from "./useSettings";

export function SettingsPage() {
  const { t } = useI18n();
  const settings = useQuery(settingsQuery);
  const status = useQuery(statusQuery);
  const { section } = useSearch({ from: "/settings" });
  const write = useSettingsWrite();
  useSettingsActions(settings.data, status.data);
  const readOnly = status.data?.readOnly ?? false;
  return (
    <DocumentPage title={t("settings.title")}>
      <div className="mt-8">
        {settings.error && !settings.data ? (
          <Failed error={settings.error} onRetry={() => void settings.refetch()} />
        ) : settings.data ? (
          <>
            <Appearance settings={settings.data} onChange={write} />
            <MemorySection readOnly={readOnly} />
            <DecaySection settings={settings.data} readOnly={readOnly} onChange={write} />
            <SearchSection readOnly={readOnly} />
            <ModelSection readOnly={readOnly} />
            <ChatSection readOnly={readOnly} wanted={section === "language-model"} />
            <ConversationSection readOnly={readOnly} />
            <OrientationSection readOnly={readOnly} wanted={section === "orientation"} />
            <ConsolidationSection readOnly={readOnly} wanted={section === "consolidation"} />
            <ControlSection />
            <Data status={status.data} />
          </>
        ) : (
          <div role="status" aria-label={t("state.loading")} className="space-y-4">
            <div className="skeleton h-6 w-1/3" />
            <div className="skeleton h-24 w-full" />
            <div className="skeleton h-24 w-full" />
          </div>
        )}
      </div>
    </DocumentPage>
  );
}
