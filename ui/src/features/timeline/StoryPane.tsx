import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { Button } from "../../components/Button";
import { INPUT, Problem } from "../../components/Fields";
import { useAddressed } from "../../components/hooks";
import { MoreFailed } from "../../components/MoreFailed";
import { plain } from "../../components/plain";
import { Rows } from "../../components/Rows";
import { Select } from "../../components/Select";
import { Empty, Failed } from "../../components/States";
import { KindIcon, useKindName } from "../../components/SubjectKind";
import { TierIcon } from "../../components/Tier";
import { usePages } from "../../components/usePages";
import { useI18n } from "../../i18n/i18n";
import type { CalendarView, TimelineRow } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { toCommandError } from "../../ipc/errors";
import { keys } from "../../ipc/keys";
import { subjectsQuery } from "../../ipc/queries";
import { LanesView } from "./lanes/LanesView";
import { LOOKS } from "./view";

const ROW = 52;
const ALL = "*";
const route = getRouteApi("/timeline");
const idOf = (row: TimelineRow) => row.row.id;

/** What has a time in the story, in the order of the story. */
export function StoryPane({ calendars }: { calendars: CalendarView[] | undefined }) {
  const { t } = useI18n();
  const nameOf = useKindName();
  const { within, kind, look = "list" } = route.useSearch();
  const navigate = route.useNavigate();
  const kinds = useQuery(subjectsQuery).data?.rows.map((row) => row.kind);
  const [text, setText] = useAddressed(
    within ?? "",
    (typed) =>
      void navigate({
        search: (before) => ({ ...before, within: typed || undefined }),
        replace: true,
      }),
  );
  const request = { within: within?.trim() || null, calendar: null, kind: kind ?? null };
  const query = usePages(keys.timeline(request), (after) => core.listTimeline({ ...request, after }), idOf);
  const list = useRef<HTMLDivElement>(null);
  const { more, isFetching } = query;
  // Lanes show all of it.
  useEffect(() => {
    if (look === "lanes" && more.exists && !isFetching) void more.load();
  }, [look, isFetching, more]);
  const open = ({ row, subject }: TimelineRow) =>
    subject === null
      ? void navigate({ to: "/memory", search: { id: row.id } })
      : void navigate({ to: "/world", search: { id: row.id } });
  // What was typed is no date: it is said at the field, and the list stays empty.
  const refused = query.error && !more.error && within ? toCommandError(query.error) : null;
  const isUnfiltered = within === undefined && kind === undefined;
  if (calendars?.length === 0 && isUnfiltered && query.data && query.rows.length === 0)
    return (
      <div className="flex flex-1 items-center justify-center overflow-y-auto">
        <Empty title={t("timeline.noCalendar.title")} body={t("timeline.noCalendar.body")}>
          <Button look="primary" onClick={() => void navigate({ search: { page: "calendars" } })}>
            {t("timeline.noCalendar.do")}
          </Button>
        </Empty>
      </div>
    );
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-start gap-3 border-b border-line px-4 py-3">
        <div className="w-80 max-w-full">
          <input
            type="search"
            aria-label={t("timeline.within")}
            placeholder={t("timeline.withinExample")}
            value={text}
            autoComplete="off"
            spellCheck={false}
            aria-invalid={refused ? true : undefined}
            aria-describedby={refused ? "timeline-within" : undefined}
            onChange={(event) => setText(event.target.value)}
            className={INPUT}
          />
          <Problem id="timeline-within" className="mt-1">
            {refused?.message}
          </Problem>
        </div>
        <Select
          label={t("world.filter")}
          value={kind ?? ALL}
          onChange={(next) =>
            void navigate({ search: (before) => ({ ...before, kind: next === ALL ? undefined : next }) })
          }
          options={[
            { value: ALL, label: t("timeline.everything") },
            ...[...new Set([...(kinds ?? []), ...(kind ? [kind] : [])])]
              .sort()
              .map((it) => ({ value: it, label: nameOf(it), icon: <KindIcon kind={it} /> })),
          ]}
        />
        <span className="flex-1" />
        <Select
          label={t("timeline.look")}
          value={look}
          onChange={(next) => void navigate({ search: (before) => ({ ...before, look: next }) })}
          options={LOOKS.map((it) => ({ value: it, label: t(`timeline.look.${it}`) }))}
        />
      </div>
      {query.data ? (
        query.rows.length > 0 && look === "lanes" ? (
          <>
            <LanesView rows={query.rows} onOpen={open} />
            <MoreFailed more={more} />
          </>
        ) : query.rows.length > 0 ? (
          <Rows
            label={t("timeline.list")}
            items={query.rows}
            height={ROW}
            keyOf={idOf}
            chosen={undefined}
            box={list}
            onOpen={open}
            more={query.more}
          >
            {(row) => <Row row={row} />}
          </Rows>
        ) : (
          <div className="flex flex-1 items-center justify-center overflow-y-auto">
            <Empty
              title={t(isUnfiltered ? "timeline.none.title" : "timeline.noneFound.title")}
              body={t(isUnfiltered ? "timeline.none.body" : "timeline.noneFound.body")}
            >
              {isUnfiltered ? (
                <>
                  <Button onClick={() => void navigate({ to: "/world", search: {} })}>
                    {t("command.goWorld")}
                  </Button>
                  <Button onClick={() => void navigate({ to: "/memory", search: {} })}>
                    {t("command.goMemory")}
                  </Button>
                </>
              ) : (
                <Button onClick={() => void navigate({ search: { look } })}>{t("filter.clear")}</Button>
              )}
            </Empty>
          </div>
        )
      ) : (
        query.error && !refused && <Failed error={query.error} onRetry={() => void query.refetch()} />
      )}
    </>
  );
}

function Row({ row: { row, time, subject, readingNumber } }: { row: TimelineRow }) {
  const { t } = useI18n();
  const nameOf = useKindName();
  const text = plain(row.preview, []).text;
  const heading = row.name ?? row.title;
  return (
    <div className="flex items-center gap-4">
      <span className="w-[clamp(10rem,26%,20rem)] shrink-0 truncate text-ui text-ink-2" title={time?.text}>
        {time?.text}
      </span>
      {subject === null ? (
        <TierIcon scope={row.scope} className="shrink-0" />
      ) : (
        <KindIcon kind={subject} className="shrink-0 text-ink-3" />
      )}
      <span className="min-w-0 flex-1">
        <span className="block truncate text-lead text-ink">{heading ?? text}</span>
        {heading !== null && (
          <span className="block truncate text-meta text-ink-2">
            {[
              subject === null ? null : nameOf(subject),
              readingNumber === null ? null : t("timeline.reading", { number: readingNumber }),
              text,
            ]
              .filter(Boolean)
              .join(" · ")}
          </span>
        )}
      </span>
    </div>
  );
}
