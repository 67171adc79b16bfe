import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { X } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { Button, IconButton } from "../../../../components/Button";
import { useLatest, useMedia } from "../../../../components/hooks";
import { lensOf } from "../../../../components/lens/address";
import { ShowAs } from "../../../../components/lens/ShowAs";
import { ShownLens } from "../../../../components/lens/ShownLens";
import { Empty, Failed } from "../../../../components/States";
import { useKindName } from "../../../../components/SubjectKind";
import { SubjectPicker } from "../../../../components/SubjectPicker";
import { useI18n } from "../../../../i18n/i18n";
import type { GraphView, SubjectRow } from "../../../../ipc/bindings.gen";
import { graphQuery } from "../../../../ipc/queries";
import { warmUp } from "./artist";
import { GraphCanvas } from "./GraphCanvas";
import { GraphPanel } from "./GraphPanel";
import { Legend } from "./Legend";
import { around, type Graph, graphOf, wholeGraph, withPages } from "./model";
import { isLarge } from "./painter";
import { beginLayout, useLayout } from "./useLayout";

const route = getRouteApi("/world");
const NONE: string[] = [];
/** Milliseconds after which the text comes without a picture. */
const LATEST = 1_000;
const NOWHERE = new Float32Array();

type PaneProps = {
  /** Goes back to the list. */
  look: ReactNode;
  /** All subjects, once they are read. */
  subjects: readonly SubjectRow[] | undefined;
  /** There is a picture. What else is on the page waits for it. */
  isDrawn: boolean;
  readOnly: boolean;
  /** There is a first picture, or there is nothing to draw. */
  onDrawn(): void;
  onNew(): void;
};

/** The world as a graph: all of it, or what is around one subject. */
export default function GraphPane({ look, subjects, isDrawn, readOnly, onDrawn, onNew }: PaneProps) {
  const { t, compare } = useI18n();
  const nameOf = useKindName();
  const { id, around: middle, hide = NONE, as, by } = route.useSearch();
  const navigate = route.useNavigate();
  const lens = useMemo(() => lensOf({ as, by }), [as, by]);
  const query = useQuery(graphQuery(lens));
  const still = useMedia("(prefers-reduced-motion: reduce)");
  const client = useQueryClient();
  const linked = t("graph.pageLink");
  const isWhole = middle === undefined && hide.length === 0;
  useEffect(() => {
    if (!isWhole) return;
    // An error is shown where the answer is.
    const begin = (view: GraphView) => beginLayout(wholeGraph(view, linked), still);
    client.ensureQueryData(graphQuery(lens)).then(begin, () => undefined);
  }, [client, lens, isWhole, linked, still]);
  /** The subject that is looked for. */
  const [wanted, setWanted] = useState<string>();
  const answer = query.error ? undefined : query.data;
  const data = useMemo(() => answer && { ...withPages(answer, linked), more: answer.more }, [answer, linked]);
  // What the lens withholds is left out of the choice.
  const withheld = useMemo(() => {
    const shown = new Set(data?.nodes.map((row) => row.id));
    return subjects?.filter((row) => !shown.has(row.id)).map((row) => row.id);
  }, [subjects, data]);

  const near = useMemo(() => {
    if (!answer) return undefined;
    const all = wholeGraph(answer, linked);
    return middle === undefined ? all : around(all, middle);
  }, [answer, linked, middle]);
  const graph = useMemo(() => {
    if (!near || hide.length === 0) return near;
    const edges = near.edges.map(({ from, to, ...rest }) => ({
      ...rest,
      from: near.nodes[from]?.id ?? "",
      to: near.nodes[to]?.id ?? "",
    }));
    return graphOf({ nodes: near.nodes, edges }, hide);
  }, [near, hide]);
  const kinds = useMemo(() => {
    const counts = new Map<string, number>();
    for (const { kind } of near?.nodes ?? []) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1] || compare(a[0], b[0]));
  }, [near, compare]);
  const isBlank = query.error !== null || graph?.nodes.length === 0;
  const latestOnDrawn = useLatest(onDrawn);
  useEffect(() => {
    if (isBlank) latestOnDrawn.current();
  }, [isBlank, latestOnDrawn]);
  const isRead = graph !== undefined;
  useEffect(() => {
    if (!isRead) return;
    // A window that is not shown draws nothing, and the text does not wait for it.
    const latest = setTimeout(() => latestOnDrawn.current(), LATEST);
    return () => clearTimeout(latest);
  }, [isRead, latestOnDrawn]);
  const selected = id === undefined ? undefined : graph?.places.get(id);
  const row = selected === undefined ? undefined : graph?.nodes[selected];

  const select = (next: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, id: next }), replace: true });
  const setLens = (knower: string | null, at: string | null) =>
    void navigate({ search: (before) => ({ ...before, as: knower ?? undefined, by: at ?? undefined }) });
  const links = selected === undefined ? 0 : (graph?.touching[selected]?.length ?? 0);
  const middleName = data?.nodes.find((it) => it.id === middle)?.name;
  return (
    <div className="flex h-full min-w-0 flex-col">
      <header className="shrink-0 border-b border-line px-4 pt-3 pb-2">
        <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2">
          <h1 className="text-title font-strong text-ink">{t("nav.world")}</h1>
          {look}
          <SubjectPicker
            label={t("world.find")}
            without={withheld}
            value={null}
            onChange={(found) => {
              const isInSight = graph?.places.has(found.id) ?? false;
              const part = isInSight ? {} : { around: undefined, hide: undefined };
              void navigate({ search: (before) => ({ ...before, ...part, id: found.id }) });
              setWanted(found.id);
            }}
          />
          <span className="flex-1" />
          {middle !== undefined && (
            <span className="fc-border inline-flex h-8 min-w-0 items-center rounded-md bg-accent-wash pl-3 text-ui text-ink">
              <span className="truncate">{t("graph.aroundOf", { name: middleName ?? t("lens.gone") })}</span>
              <IconButton
                label={t("graph.whole")}
                onClick={() => void navigate({ search: (before) => ({ ...before, around: undefined }) })}
              >
                <X size={14} aria-hidden />
              </IconButton>
            </span>
          )}
          {lens && <ShownLens lens={lens} onClear={() => setLens(null, null)} />}
          {isDrawn && <ShowAs lens={lens} onLens={({ knower, at }) => setLens(knower, at)} />}
        </div>
        {kinds.length > 0 && (
          <div className="mt-1 -ml-2">
            <Legend
              kinds={kinds}
              hidden={hide}
              onChange={(next) =>
                void navigate({
                  search: (before) => ({ ...before, hide: next.length > 0 ? next : undefined }),
                  replace: true,
                })
              }
            />
          </div>
        )}
      </header>
      <p role="status" className="sr-only">
        {row && t("graph.selected", { name: row.name, kind: nameOf(row.kind), count: links })}
      </p>
      {query.error ? (
        <Failed error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        graph && (
          <div className="flex min-h-0 min-w-0 flex-1">
            {graph.nodes.length === 0 ? (
              <div className="flex flex-1 items-center justify-center">
                {data?.nodes.length === 0 && lens === null ? (
                  <Empty title={t("world.none.title")} body={t("world.none.body")}>
                    <Button look="primary" disabled={readOnly} onClick={onNew}>
                      {t("world.new")}
                    </Button>
                  </Empty>
                ) : (
                  <Empty
                    title={t("graph.nothing.title")}
                    body={t(lens === null ? "graph.nothing.body" : "graph.nothing.lens")}
                  >
                    <Button
                      onClick={() =>
                        void navigate({
                          search: (before) => ({ ...before, around: undefined, hide: undefined }),
                        })
                      }
                    >
                      {t("graph.whole")}
                    </Button>
                  </Empty>
                )}
              </div>
            ) : (
              <Drawn
                // What one lens shows is never shown under another one.
                key={JSON.stringify(lens)}
                graph={graph}
                still={still}
                isDrawn={isDrawn}
                notes={[
                  ...(data?.more ? [t("graph.more")] : []),
                  ...(data?.edges.length === 0 ? [t("graph.noRelations")] : []),
                ]}
                selected={id}
                middle={middle}
                wanted={wanted}
                onDrawn={onDrawn}
                onCentred={() => setWanted(undefined)}
                onSelect={select}
                onOpen={(next) => {
                  if (graph.nodes.find((it) => it.id === next)?.isPage)
                    void navigate({ to: "/pages", search: { id: next } });
                  else void navigate({ search: (before) => ({ ...before, look: undefined, id: next }) });
                }}
                onAround={(next) =>
                  void navigate({ search: (before) => ({ ...before, id: next, around: next }) })
                }
              />
            )}
          </div>
        )
      )}
    </div>
  );
}

type DrawnProps = {
  graph: Graph;
  still: boolean;
  isDrawn: boolean;
  notes: readonly string[];
  /** Ids of subjects. */
  selected: string | undefined;
  middle: string | undefined;
  wanted: string | undefined;
  onDrawn(): void;
  onCentred(): void;
  onSelect(id: string | undefined): void;
  onOpen(id: string): void;
  onAround(id: string): void;
};

/** The picture once it is laid out, what is to be known of it, and the same as text. */
function Drawn(props: DrawnProps) {
  const { graph, still, isDrawn, notes, selected: id, middle, wanted, onDrawn, onCentred, ...on } = props;
  const { t } = useI18n();
  const laid = useLayout(graph, still);
  const isInBackground = isLarge(graph);
  useEffect(() => {
    if (isInBackground) warmUp(graph);
  }, [isInBackground, graph]);
  const shown = laid?.graph ?? graph;
  const placeOf = (of: string | undefined) => (of === undefined ? undefined : shown.places.get(of));
  const selected = placeOf(id);
  const withId = (act: (id: string) => void) => (place: number) => {
    const found = shown.nodes[place]?.id;
    if (found !== undefined) act(found);
  };
  const onAround = withId(on.onAround);
  return (
    <>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        {notes.map((note) => (
          <p key={note} className="shrink-0 border-b border-line bg-sunken px-4 py-2 text-meta text-ink-2">
            {note}
          </p>
        ))}
        {/* It is there before the layout, so that the first positions are drawn at once. */}
        <GraphCanvas
          graph={shown}
          positions={laid?.positions ?? NOWHERE}
          busy={!laid?.isDone || shown !== graph}
          selected={selected}
          centre={shown === graph ? placeOf(wanted) : undefined}
          label={t("graph.label", { nodes: shown.nodes.length, edges: shown.edges.length })}
          hint={t("graph.keys")}
          onDrawn={onDrawn}
          onCentred={onCentred}
          onSelect={(place) => on.onSelect(place === undefined ? undefined : shown.nodes[place]?.id)}
          onOpen={withId(on.onOpen)}
          onAround={onAround}
        />
      </div>
      <GraphPanel
        graph={shown}
        isDrawn={isDrawn}
        selected={selected}
        isAround={middle !== undefined && middle === id}
        onSelect={withId(on.onSelect)}
        onAround={onAround}
      />
    </>
  );
}
