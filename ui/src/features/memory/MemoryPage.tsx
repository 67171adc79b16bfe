import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Plus, X } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { Button, IconButton } from "../../components/Button";
import { loadEditor } from "../../components/LazyEditor";
import { ShownLens } from "../../components/lens/ShownLens";
import { useToasts } from "../../components/toast";
import { useConversationName } from "../../components/useConversationName";
import { useI18n } from "../../i18n/i18n";
import type { MemoryFilter } from "../../ipc/bindings.gen";
import { scopeCountsQuery, statusQuery } from "../../ipc/queries";
import { useMinWidth } from "../../preferences/width";
import { FirstMemory, NothingOpen } from "./Blank";
import { CreateDialog } from "./CreateDialog";
import { MemoryDrag } from "./drag/MemoryDrag";
import { FacetPanel } from "./filter/FacetPanel";
import { FilterChips } from "./filter/FilterChips";
import { ScopeTabs } from "./filter/ScopeTabs";
import { Tools } from "./filter/Tools";
import { ListPane } from "./list/ListPane";
import { WorkingNotes } from "./list/WorkingNotes";
import { ModelBanner } from "./ModelBanner";
import { MoreMenu } from "./MoreMenu";
import { newDraftOf, setNewDraft } from "./newDrafts";
import { SearchBar } from "./SearchBar";
import { SavedSearches } from "./saved/SavedSearches";
import type { SearchedView } from "./saved/searches";
import { useMemoryActions } from "./useMemoryActions";
import { useSearchedText } from "./useSearchedText";
import { useView } from "./view";
import { Welcome } from "./Welcome";

/** Forgotten ones included: a page with something to restore is not blank. */
const EVERYTHING: MemoryFilter = {
  scope: null,
  channelId: null,
  conversationId: null,
  terms: [{ facet: "forgotten", value: "any", negated: false }],
  lens: null,
};

/** Markdown, diffs and the rest of the detail come after the list is on screen. */
const loadDetail = () => import("./detail/Detail");
const Detail = lazy(loadDetail);

const PANEL = "memory-panel";

export function MemoryPage() {
  const { view } = useView();
  return view.own && view.id ? <OwnMemory id={view.id} /> : <Memories />;
}

/** One memory without the list, in a window of its own. */
function OwnMemory({ id }: { id: string }) {
  const { t } = useI18n();
  const { filter, go } = useView();
  const readOnly = useQuery(statusQuery).data?.readOnly ?? false;
  const region = useRef<HTMLElement>(null);
  const takeFocus = useRef(true);
  const leave = useCallback(() => go({ own: undefined, id: undefined }), [go]);
  const open = useCallback((next: string) => go({ id: next }), [go]);
  const toConversation = useCallback(
    (conversation: string) => go({ own: undefined, scope: "conversation", conversation }),
    [go],
  );
  return (
    <div className="flex h-full min-w-0 [--text-room:calc(100vh-6rem)]">
      <h1 className="sr-only">{t("nav.memory")}</h1>
      <Suspense fallback={<div className="min-w-0 flex-1" />}>
        <Detail
          id={id}
          query=""
          filter={filter}
          readOnly={readOnly}
          region={region}
          takeFocus={takeFocus}
          isOwn
          onClose={leave}
          onOpen={open}
          onConversation={toConversation}
        />
      </Suspense>
    </div>
  );
}

function Memories() {
  const { t } = useI18n();
  const { view, filter, go, setTerms, setScope, setLens } = useView();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { failed } = useToasts();
  const status = useQuery(statusQuery).data;
  const readOnly = status?.readOnly ?? false;
  const wide = useMinWidth(1600);
  // Two answers, or a window that is made narrow would find the panel hanging over its list.
  const [filtersOpen, setFiltersOpen] = useState(true);
  const [filtersOver, setFiltersOver] = useState(false);
  const [creating, setCreating] = useState(false);

  const [query, ask] = useSearchedText(view.q ?? "", filter);
  const follow = useCallback(
    (typed: string) => go({ q: typed === "" ? undefined : typed }, { replace: true }),
    [go],
  );
  const only = useConversationName(view.conversation);
  const sort = view.sort ?? "updated_desc";

  const input = useRef<HTMLInputElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const region = useRef<HTMLElement>(null);
  const focusDetail = useRef(false);
  const firstHit = useRef<string | undefined>(undefined);
  const open = useCallback(
    (id: string, how: "press" | "enter" | "follow") => {
      focusDetail.current = how === "enter";
      go({ id }, { replace: how === "follow" });
      // Already there: focus it now. Otherwise it takes the focus when it comes.
      if (how === "enter") requestAnimationFrame(() => region.current?.focus());
    },
    [go],
  );
  const enter = useCallback(() => {
    if (firstHit.current) open(firstHit.current, "enter");
  }, [open]);
  const leave = useCallback(() => grid.current?.focus(), []);
  const everywhere = useCallback(() => setScope(undefined), [setScope]);
  const openSearch = useCallback(
    (search: SearchedView) => void navigate({ to: "/memory", search }),
    [navigate],
  );
  const clearTerms = useCallback(() => setTerms([]), [setTerms]);
  const clearLens = useCallback(() => {
    setLens(null);
    // Its button goes with the chip.
    grid.current?.focus();
  }, [setLens]);
  const press = useCallback((id: string) => open(id, "press"), [open]);
  const toConversation = useCallback(
    (conversation: string) => go({ scope: "conversation", channel: undefined, conversation, q: undefined }),
    [go],
  );
  const close = useCallback(() => {
    go({ id: undefined });
    grid.current?.focus();
  }, [go]);

  // Fetched while idle, so that the first memory opens at once.
  useEffect(() => {
    const timer = setTimeout(
      () => void Promise.all([loadDetail(), loadEditor(), import("../../components/Chart")]),
      400,
    );
    return () => clearTimeout(timer);
  }, []);

  const focusSearch = useCallback(() => {
    input.current?.focus();
    input.current?.select();
  }, []);

  const startNew = useCallback(() => {
    const begin = async () => {
      const [{ workspace }] = await Promise.all([client.ensureQueryData(statusQuery), loadEditor()]);
      const world = workspace?.id ?? "";
      const draft = newDraftOf(world);
      const { scope = draft.scope, channel = draft.channel } = view;
      if (draft.content === "") setNewDraft(world, { ...draft, scope, channel });
      setCreating(true);
    };
    void begin().catch(failed);
  }, [client, view, failed]);

  const stopNew = useCallback(() => setCreating(false), []);
  const created = useCallback(
    (id: string) => {
      setCreating(false);
      open(id, "press");
    },
    [open],
  );

  useMemoryActions({
    readOnly,
    view,
    go,
    setScope,
    setTerms,
    clearLens,
    startNew,
    focusSearch,
    toggleFilters: () => (wide ? setFiltersOpen : setFiltersOver)((old) => !old),
  });

  const counts = useQuery(scopeCountsQuery(EVERYTHING)).data;
  const blank =
    counts !== undefined && Object.values(counts).every((count) => count === 0) && view.id === undefined;
  const terms = filter.terms;

  return (
    <MemoryDrag>
      <div className="flex h-full min-w-0 flex-col">
        <h1 className="sr-only">{t("nav.memory")}</h1>
        <div className="border-b border-line">
          <div className="flex h-16 items-center justify-between gap-3 px-4">
            <div className="flex min-w-0 flex-1 items-center gap-1">
              <SearchBar
                input={input}
                address={view.q ?? ""}
                onRest={follow}
                onType={ask}
                onLeave={leave}
                onEnter={enter}
              />
              <SavedSearches view={view} onOpen={openSearch} />
            </div>
            <div className="flex items-center gap-2">
              <Button look="primary" className="h-9" disabled={readOnly} onClick={startNew}>
                <Plus size={16} aria-hidden />
                {t("memory.new")}
              </Button>
              <MoreMenu />
            </div>
          </div>
          <div className="flex flex-wrap items-center justify-between gap-x-2 pr-1 pl-2">
            <div className="flex min-w-0 flex-wrap items-center gap-x-2">
              <ScopeTabs filter={filter} scope={view.scope} onScope={setScope} panelId={PANEL} />
            </div>
            <Tools
              scope={view.scope}
              channel={view.channel}
              filter={filter}
              sort={sort}
              searching={query !== ""}
              query={!wide && filtersOver ? query : ""}
              wide={wide}
              shown={wide ? filtersOpen : filtersOver}
              onShown={wide ? setFiltersOpen : setFiltersOver}
              go={go}
              onTerms={setTerms}
              onLens={setLens}
            />
          </div>
        </div>
        {blank ? (
          <div
            id={PANEL}
            role="tabpanel"
            aria-label={t("tier.all")}
            className="min-h-0 flex-1 overflow-y-auto"
          >
            {status?.offerSample ? <Welcome page /> : <FirstMemory readOnly={readOnly} onNew={startNew} />}
          </div>
        ) : (
          <>
            {/* Which form the offer takes is known with the counts. It must not move under a hand that reaches for it. */}
            {status?.offerSample && counts !== undefined && <Welcome page={false} />}
            <div
              id={PANEL}
              role="tabpanel"
              aria-label={t(`tier.${view.scope ?? "all"}`)}
              className="flex min-h-0 flex-1"
            >
              {wide && filtersOpen && (
                <section
                  aria-label={t("filter.title")}
                  className="flex w-60 shrink-0 flex-col overflow-y-auto border-r border-line p-4"
                >
                  <h2 className="sr-only">{t("filter.title")}</h2>
                  <FacetPanel filter={filter} query={query} onTerms={setTerms} />
                </section>
              )}
              <div className="flex w-[clamp(21.25rem,36%,35rem)] narrow:w-60 shrink-0 flex-col border-r border-line">
                {(terms.length > 0 || view.conversation || filter.lens) && (
                  <div className="flex flex-wrap items-center gap-1 border-b border-line px-4 py-2">
                    {filter.lens && <ShownLens lens={filter.lens} onClear={clearLens} />}
                    {view.conversation && (
                      <span className="inline-flex h-6 items-center rounded-sm bg-accent-wash pl-2 text-meta text-ink">
                        {t("conversation.only", { name: only })}
                        <IconButton
                          className="size-6!"
                          label={t("conversation.clear")}
                          onClick={() => go({ conversation: undefined })}
                        >
                          <X size={12} aria-hidden />
                        </IconButton>
                      </span>
                    )}
                    {terms.length > 0 && <FilterChips terms={terms} onTerms={setTerms} />}
                  </div>
                )}
                {view.scope === "conversation" && view.channel === undefined && query === "" && (
                  <WorkingNotes conversation={view.conversation} />
                )}
                <ListPane
                  filter={filter}
                  sort={sort}
                  query={query}
                  openId={view.id}
                  readOnly={readOnly}
                  grid={grid}
                  firstHit={firstHit}
                  onOpen={open}
                  onNew={startNew}
                  onEverywhere={view.scope ? everywhere : undefined}
                  onClearTerms={clearTerms}
                  onClearLens={clearLens}
                />
              </div>
              {view.id ? (
                <Suspense fallback={<div className="min-w-0 flex-1" />}>
                  <Detail
                    id={view.id}
                    query={query}
                    filter={filter}
                    readOnly={readOnly}
                    region={region}
                    takeFocus={focusDetail}
                    onClose={close}
                    onOpen={press}
                    onConversation={toConversation}
                  />
                </Suspense>
              ) : (
                <NothingOpen />
              )}
            </div>
          </>
        )}
        <ModelBanner status={status} />
        <CreateDialog
          open={creating}
          world={status?.workspace?.id ?? ""}
          onClose={stopNew}
          onCreated={created}
        />
      </div>
    </MemoryDrag>
  );
}
