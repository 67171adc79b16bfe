import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { type ReactNode, useRef } from "react";
import { DocumentPage } from "../../components/DocumentPage";
import { Failed } from "../../components/States";
import { useI18n } from "../../i18n/i18n";
import type { AppStatus, Settings } from "../../ipc/bindings.gen";
import { settingsQuery, statusQuery } from "../../ipc/queries";
import { Appearance } from "./Appearance";
import { ChatSection } from "./ChatSection";
import { ConsolidationSection } from "./ConsolidationSection";
import { ControlSection } from "./ControlSection";
import { ConversationSection } from "./ConversationSection";
import { Data } from "./Data";
import { DecaySection } from "./DecaySection";
import { DesktopSection } from "./DesktopSection";
import { MemorySection } from "./MemorySection";
import { ModelSection } from "./ModelSection";
import { OrientationSection } from "./OrientationSection";
import { SearchSection } from "./SearchSection";
import { SectionNav } from "./SectionNav";
import { ShortcutSection } from "./shortcuts/ShortcutSection";
import { useCurrent } from "./useCurrent";
import { useSectionsRead } from "./useSectionsRead";
import { useSettingsActions, useSettingsWrite, type WriteSettings } from "./useSettings";
import { useWanted } from "./useWanted";
import { SECTIONS, type Section } from "./view";

type SectionProps = {
  settings: Settings;
  status: AppStatus | undefined;
  readOnly: boolean;
  write: WriteSettings;
};

const CONTENT: Record<Section, (props: SectionProps) => ReactNode> = {
  appearance: ({ settings, write }) => <Appearance settings={settings} onChange={write} />,
  shortcuts: () => <ShortcutSection />,
  desktop: () => <DesktopSection />,
  memory: ({ readOnly }) => <MemorySection readOnly={readOnly} />,
  fading: ({ settings, readOnly, write }) => (
    <DecaySection settings={settings} readOnly={readOnly} onChange={write} />
  ),
  search: ({ readOnly }) => <SearchSection readOnly={readOnly} />,
  meaning: ({ readOnly }) => <ModelSection readOnly={readOnly} />,
  "language-model": ({ readOnly }) => <ChatSection readOnly={readOnly} />,
  conversations: ({ readOnly }) => <ConversationSection readOnly={readOnly} />,
  orientation: ({ readOnly }) => <OrientationSection readOnly={readOnly} />,
  consolidation: ({ readOnly }) => <ConsolidationSection readOnly={readOnly} />,
  access: () => <ControlSection />,
  data: ({ status }) => <Data status={status} />,
};

export function SettingsPage() {
  const { t } = useI18n();
  const settings = useQuery(settingsQuery);
  const status = useQuery(statusQuery);
  const { section } = useSearch({ from: "/settings" });
  const write = useSettingsWrite();
  useSettingsActions(settings.data, status.data);
  const page = useRef<HTMLDivElement>(null);
  const sectionsRead = useSectionsRead();
  const here = settings.data !== undefined && sectionsRead;
  useWanted(page, section, here);
  const current = useCurrent(page, here);
  const readOnly = status.data?.readOnly ?? false;
  if (settings.error && !settings.data)
    return (
      <DocumentPage title={t("settings.title")}>
        <div className="mt-8">
          <Failed error={settings.error} onRetry={() => void settings.refetch()} />
        </div>
      </DocumentPage>
    );
  return (
    <DocumentPage wide title={t("settings.title")}>
      <div className="@container mt-8">
        <div className="grid grid-cols-1 gap-x-10 @3xl:grid-cols-[12.5rem_minmax(0,43.5rem)]">
          <SectionNav page={page} here={here} current={current} />
          {here ? (
            <div ref={page} className="min-w-0">
              {SECTIONS.map(([it]) => (
                <div
                  key={it}
                  data-section={it}
                  // The last one is high enough to be brought to the top, too.
                  className="outline-none first:[&>section]:border-t-0 first:[&>section]:pt-0 last:min-h-[calc(100vh-5rem)]"
                >
                  {CONTENT[it]({ settings: settings.data, status: status.data, readOnly, write })}
                </div>
              ))}
            </div>
          ) : (
            <div role="status" aria-label={t("state.loading")} className="space-y-4">
              <div className="skeleton h-6 w-1/3" />
              <div className="skeleton h-24 w-full" />
              <div className="skeleton h-24 w-full" />
            </div>
          )}
        </div>
      </div>
    </DocumentPage>
  );
}
