import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ChevronLeft, Printer } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { type Action, useActions } from "../../../components/actions";
import { Button } from "../../../components/Button";
import { useLens } from "../../../components/lens/useLens";
import { useLensText } from "../../../components/lens/useLensText";
import { Empty, Failed } from "../../../components/States";
import { useI18n } from "../../../i18n/i18n";
import { READ_MOST, scopeCountsQuery, statusQuery } from "../../../ipc/queries";
import { readingQuery } from "../../../ipc/reading";
import { filterOf } from "../view";
import { Entry } from "./Entry";

const route = getRouteApi("/memory/read");

/** The chosen memories, or those of the list, as one text to read and to print. */
export function ReadingPage() {
  const { t, number } = useI18n();
  const view = route.useSearch();
  const { ids, of, ...list } = view;
  const { scope, channel, conversation, f, as, by } = view;
  const filter = useMemo(
    () => filterOf({ scope, channel, conversation, f, as, by }),
    [scope, channel, conversation, f, as, by],
  );
  const query = useQuery(
    readingQuery({ filter, sort: view.sort ?? "updated_desc", query: view.q ?? "", ids: ids ?? null }),
  );
  const counts = useQuery({ ...scopeCountsQuery(filter), enabled: ids === undefined && !view.q }).data;
  const world = useQuery(statusQuery).data?.workspace?.name;
  const { short } = useLensText();
  const lens = useLens(filter.lens).view;
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that led here is gone.
  useEffect(() => heading.current?.focus(), []);
  useActions(
    useMemo(
      (): Action[] => [
        { id: "reading.print", group: "memory", label: t("reading.print"), run: () => window.print() },
      ],
      [t],
    ),
  );
  const memories = query.data?.memories ?? [];
  const total =
    of ?? (counts && (filter.scope ? counts[filter.scope] : Object.values(counts).reduce((a, b) => a + b)));
  const isCut = of !== undefined || query.data?.hasMore === true;
  const missing = (ids?.length ?? 0) - memories.length;

  const body = () => {
    if (query.error && !query.data)
      return <Failed error={query.error} onRetry={() => void query.refetch()} />;
    if (query.isPending) return <Loading />;
    if (memories.length === 0) return <Empty title={t("reading.none")} body={t("reading.noneBody")} />;
    return memories.map((memory) => (
      <Entry key={memory.row.id} memory={memory} view={list} lens={filter.lens} />
    ));
  };
  return (
    <section
      aria-label={t("reading.title")}
      data-prints
      className="h-full overflow-y-auto overscroll-contain"
    >
      <div className="mx-auto max-w-[calc(var(--measure)+4rem)] px-8 pb-24 print:max-w-none print:p-0">
        <div className="flex h-16 items-center justify-between gap-4 print:hidden">
          <Link
            to="/memory"
            search={list}
            className="inline-flex min-h-8 items-center gap-1 rounded-sm text-ui text-ink-2 hover:text-ink"
          >
            <ChevronLeft size={14} aria-hidden />
            {t("nav.memory")}
          </Link>
          <Button disabled={memories.length === 0} onClick={() => window.print()}>
            <Printer size={14} aria-hidden />
            {t("reading.print")}
          </Button>
        </div>
        <header className="mt-6 mb-12 print:mt-0">
          <h1 ref={heading} tabIndex={-1} className="font-serif text-display text-ink outline-none">
            {world ?? t("reading.title")}
          </h1>
          <p className="tabular mt-2 text-ui text-pretty text-ink-2">
            {query.data && t("list.count", { count: memories.length })}
            {lens && ` · ${short(lens)}`}
            {isCut && (
              <span className="block">
                {total === undefined
                  ? t("reading.cut", { most: READ_MOST })
                  : t("reading.cutOf", { most: READ_MOST, total: number(total) })}
              </span>
            )}
            {query.data && missing > 0 && (
              <span className="block">{t("reading.missing", { count: missing })}</span>
            )}
          </p>
        </header>
        {body()}
      </div>
    </section>
  );
}

function Loading() {
  const { t } = useI18n();
  return (
    <div role="status" aria-label={t("state.loading")} className="space-y-4">
      <div className="skeleton h-6 w-1/3" />
      <div className="skeleton h-24 w-full" />
      <div className="skeleton h-24 w-full" />
    </div>
  );
}
