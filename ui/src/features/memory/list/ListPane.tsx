import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { memo, type RefObject, useCallback, useEffect, useMemo } from "react";
import { useActions } from "../../../components/actions";
import { Button } from "../../../components/Button";
import { foundBy } from "../../../components/foundBy";
import { useLatest } from "../../../components/hooks";
import { MoreFailed } from "../../../components/MoreFailed";
import { Empty, Failed } from "../../../components/States";
import { useI18n } from "../../../i18n/i18n";
import type { MemoryFilter, ScopeCounts, SearchResponse, Sort } from "../../../ipc/bindings.gen";
import { SEARCH_LIMIT, scopeCountsQuery } from "../../../ipc/queries";
import { rem } from "../../../preferences/zoom";
import { chosenView } from "../reading/view";
import { useWrites } from "../useWrites";
import { BulkBar } from "./BulkBar";
import { type Item, MemoryList } from "./MemoryList";
import { ROW_HEIGHT } from "./Row";
import { useActive } from "./useActive";
import { useFound } from "./useFound";
import { usePagedMemories } from "./usePagedMemories";
import { useSelection } from "./useSelection";

type ListPaneProps = {
  filter: MemoryFilter;
  sort: Sort;
  query: string;
  openId: string | undefined;
  readOnly: boolean;
  grid: RefObject<HTMLDivElement | null>;
  /** Told the hit on top, for Enter in the search field. */
  firstHit: RefObject<string | undefined>;
  onOpen(id: string, how: "press" | "enter" | "follow"): void;
  onNew(): void;
  onEverywhere: (() => void) | undefined;
  onClearTerms(): void;
  onClearLens(): void;
};

/** How many the list holds in the end: of one tier, or of all. */
function totalOf(counts: ScopeCounts, filter: MemoryFilter): number {
  if (filter.scope) return counts[filter.scope];
  return counts.account + counts.workspace + counts.channel + counts.conversation;
}

/** The list with its states, its count and the bar for many at once. */
export const ListPane = memo(function ListPane(props: ListPaneProps) {
  const { filter, sort, query, openId, readOnly, grid, firstHit, onOpen } = props;
  const { t } = useI18n();
  const writes = useWrites();
  const navigate = useNavigate({ from: "/memory" });
  const searching = query !== "";
  const paged = usePagedMemories(filter, sort, !searching);
  const search = useFound(query, filter);
  const counts = useQuery(scopeCountsQuery(filter)).data;
  const listKey = useMemo(() => JSON.stringify([filter, sort, query]), [filter, sort, query]);
  const { rows, more, onVisible } = paged;
  const hits = searching ? search.data?.hits : undefined;

  const items: readonly Item[] = useMemo(
    () => (searching ? (hits ?? []).map((hit) => ({ row: hit.row, hit })) : rows.map((row) => ({ row }))),
    [searching, hits, rows],
  );
  const ids = useMemo(() => items.map((item) => item.row.id), [items]);
  const top = searching ? ids[0] : undefined;
  useEffect(() => {
    firstHit.current = top;
  }, [firstHit, top]);
  const selection = useSelection(ids);
  const { clear } = selection;

  const { activeIndex, setActive } = useActive(ids, listKey);
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another list nothing is chosen
  useEffect(() => {
    clear();
  }, [listKey, clear]);

  const chosen = useMemo(() => [...selection.selected], [selection.selected]);
  const has = useMemo(() => {
    if (selection.selected.size === 0) return { forgotten: false, kept: false };
    const rows = items.filter((item) => selection.selected.has(item.row.id));
    return {
      forgotten: rows.some((item) => item.row.forgottenAt !== null),
      kept: rows.some((item) => item.row.forgottenAt === null),
    };
  }, [items, selection.selected]);

  const forget = useCallback(() => {
    if (readOnly) return;
    const target = chosen.length > 0 ? chosen : ids.slice(activeIndex, activeIndex + 1);
    if (target.length > 0) void writes.forget(target).then((ok) => ok && clear());
  }, [readOnly, chosen, ids, activeIndex, writes, clear]);

  // In the order of the list, and not in that in which they were chosen.
  const read = useCallback(() => {
    const ids = items.map(({ row }) => row.id).filter((id) => selection.selected.has(id));
    void navigate({
      to: "/memory/read",
      search: ({ id: _, ...view }) => ({ ...view, q: query === "" ? undefined : query, ...chosenView(ids) }),
    });
  }, [items, selection.selected, navigate, query]);

  const step = useCallback(
    (by: number) => {
      grid.current?.focus();
      setActive(Math.max(0, Math.min(ids.length - 1, activeIndex + by)));
    },
    [grid, ids.length, activeIndex, setActive],
  );
  const hasItems = items.length > 0;
  // Not offered anew with every list that is drawn.
  const latest = useLatest({ step, forget, read, all: selection.all });
  useActions(
    useMemo(
      () => [
        {
          id: "list.next",
          group: "view",
          label: t("shortcuts.next"),
          run: () => latest.current.step(1),
        },
        {
          id: "list.previous",
          group: "view",
          label: t("shortcuts.previous"),
          run: () => latest.current.step(-1),
        },
        { id: "list.all", group: "memory", label: t("bulk.all"), run: () => latest.current.all() },
        {
          id: "list.read",
          group: "memory",
          label: t(chosen.length > 0 ? "reading.selected" : "reading.list"),
          enabled: hasItems,
          run: () => latest.current.read(),
        },
        {
          id: "list.forget",
          group: "memory",
          label: t("bulk.forgetSelected"),
          enabled: chosen.length > 0 && !readOnly,
          run: () => latest.current.forget(),
        },
      ],
      [t, chosen.length, hasItems, readOnly, latest],
    ),
  );

  const follow = useCallback((id: string) => onOpen(id, "follow"), [onOpen]);
  const source = searching ? search : paged;
  const body = () => {
    if (source.error && items.length === 0)
      return <Failed error={source.error} onRetry={() => void source.refetch()} />;
    if (source.isPending || (searching && search.isPlaceholderData && items.length === 0)) return <Loading />;
    if (items.length === 0) return <Nothing {...props} />;
    return (
      <MemoryList
        items={items}
        total={searching ? items.length : counts ? totalOf(counts, filter) : -1}
        openId={openId}
        active={activeIndex}
        onActive={setActive}
        onOpen={onOpen}
        onFollow={follow}
        onForget={forget}
        onVisible={onVisible}
        onEnd={searching ? undefined : more.load}
        selection={selection}
        grid={grid}
        listKey={listKey}
        readOnly={readOnly}
        footer={!searching && more.exists && !more.error ? t("list.loadingMore") : null}
      />
    );
  };

  return (
    <>
      <div
        className={
          searching || filter.terms.length > 0 || filter.lens !== null
            ? "flex h-8 shrink-0 items-center border-b border-line px-4 text-meta text-ink-3"
            : "sr-only"
        }
      >
        <p aria-live="polite" className="tabular truncate">
          {searching ? (
            <SearchSummary response={search.data} />
          ) : counts ? (
            t("list.count", { count: totalOf(counts, filter) })
          ) : (
            ""
          )}
        </p>
      </div>
      {body()}
      {!searching && items.length > 0 && <MoreFailed more={more} />}
      {chosen.length > 0 && (
        <BulkBar
          ids={chosen}
          has={has}
          readOnly={readOnly}
          onRead={read}
          onAll={selection.all}
          onClear={clear}
          onLeave={() => grid.current?.focus()}
        />
      )}
    </>
  );
});

function SearchSummary({ response }: { response: SearchResponse | undefined }) {
  const { t } = useI18n();
  if (!response) return null;
  const count = response.hits.length;
  const found = foundBy(
    response.mode,
    response.hits.map((hit) => hit.explanation.contributions),
  );
  // By meaning everything is found, nearer or farther; and what is still being read is no count either.
  const counted = count === 0 || (response.mode === "text" && !response.more && count < SEARCH_LIMIT);
  return (
    <>
      {counted ? t("search.results", { count }) : t("search.best")}
      {" · "}
      <span title={response.modeReason ?? undefined}>{t(`search.mode.${found}`)}</span>
    </>
  );
}

const PLACEHOLDERS = Array.from({ length: 12 }, (_, i) => i);

function Loading() {
  const { t } = useI18n();
  return (
    <div role="status" aria-label={t("state.loading")} className="min-h-0 flex-1 overflow-hidden">
      {PLACEHOLDERS.map((i) => (
        <div
          key={i}
          style={{ height: rem(ROW_HEIGHT) }}
          className="flex gap-3 border-b border-line py-4 pr-4 pl-4"
        >
          <span className="skeleton size-4" />
          <div className="flex-1 space-y-2">
            <div className="skeleton h-4 w-full" />
            <div className="skeleton h-4 w-2/3" />
          </div>
        </div>
      ))}
    </div>
  );
}

function Nothing(props: ListPaneProps) {
  const { filter, query, readOnly, onNew, onEverywhere, onClearTerms, onClearLens } = props;
  const { t } = useI18n();
  if (filter.lens !== null) {
    return (
      <Empty title={t(query === "" ? "lens.empty.title" : "empty.search.title")} body={t("lens.empty.body")}>
        <Button onClick={onClearLens}>{t("lens.clear")}</Button>
        {filter.terms.length > 0 && <Button onClick={onClearTerms}>{t("filter.clear")}</Button>}
      </Empty>
    );
  }
  if (query !== "") {
    return (
      <Empty title={t("empty.search.title")} body={t("empty.search.body")}>
        {onEverywhere && <Button onClick={onEverywhere}>{t("empty.search.everywhere")}</Button>}
        {filter.terms.length > 0 && <Button onClick={onClearTerms}>{t("filter.clear")}</Button>}
      </Empty>
    );
  }
  if (filter.terms.length > 0) {
    return (
      <Empty title={t("empty.filter.title")} body={t("empty.filter.body")}>
        <Button onClick={onClearTerms}>{t("filter.clear")}</Button>
      </Empty>
    );
  }
  const { scope } = filter;
  return (
    <Empty
      title={t(scope ? "empty.tier.title" : "empty.workspace.title")}
      body={t(scope ? `empty.tier.${scope}` : "empty.workspace.body")}
    >
      {scope !== "conversation" && (
        <Button look="primary" disabled={readOnly} onClick={onNew}>
          {t("memory.new")}
        </Button>
      )}
    </Empty>
  );
}
