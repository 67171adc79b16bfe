import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Tabs } from "../../components/Tabs";
import { useI18n } from "../../i18n/i18n";
import { calendarsQuery, statusQuery } from "../../ipc/queries";
import { CalendarsPane } from "./CalendarsPane";
import { ChaptersPane } from "./ChaptersPane";
import { StoryPane } from "./StoryPane";
import { TABS } from "./view";

const PANEL = "timeline-panel";
const route = getRouteApi("/timeline");

/** What has a time in the story, the chapters, and the calendars that write the dates. */
export function TimelinePage() {
  const { t } = useI18n();
  const { page } = route.useSearch();
  const navigate = route.useNavigate();
  const readOnly = useQuery(statusQuery).data?.readOnly ?? false;
  const calendars = useQuery(calendarsQuery);
  const tab = page ?? "story";
  return (
    <div className="flex h-full min-w-0 flex-col">
      <div className="flex shrink-0 items-end border-b border-line pr-4 pl-2">
        <h1 className="sr-only">{t("nav.timeline")}</h1>
        <Tabs
          label={t("timeline.tabs")}
          panel={PANEL}
          tabs={TABS}
          value={tab}
          onChange={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
          className="pt-2"
        >
          {(it) => t(`timeline.tab.${it}`)}
        </Tabs>
      </div>
      <div
        id={PANEL}
        role="tabpanel"
        aria-labelledby={`${PANEL}-${tab}`}
        className="flex min-h-0 min-w-0 flex-1 flex-col"
      >
        {tab === "story" && <StoryPane calendars={calendars.data?.calendars} />}
        {tab === "chapters" && <ChaptersPane />}
        {tab === "calendars" && (
          <CalendarsPane list={calendars.data} error={calendars.error} readOnly={readOnly} />
        )}
      </div>
    </div>
  );
}
