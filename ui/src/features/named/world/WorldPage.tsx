import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useCallback, useMemo, useRef, useState } from "react";
import { type Action, useActions } from "../../../components/actions";
import { Button, IconButton } from "../../../components/Button";
import { INPUT } from "../../../components/Fields";
import { lensOf } from "../../../components/lens/address";
import { Rows } from "../../../components/Rows";
import { Select } from "../../../components/Select";
import { Empty, Failed } from "../../../components/States";
import { KindIcon, useKindName } from "../../../components/SubjectKind";
import { found } from "../../../components/SubjectPicker";
import { type LazyModule, useLazyModule } from "../../../components/useLazyModule";
import { useI18n } from "../../../i18n/i18n";
import type { PageRow, SubjectRow } from "../../../ipc/bindings.gen";
import { graphQuery, namedQuery, statusQuery, subjectsQuery } from "../../../ipc/queries";
import { AddSubject } from "./AddSubject";
import { FactsPane } from "./FactsPane";
import { LookSwitch } from "./LookSwitch";
import { PageLinks } from "./PageLinks";
import { SubjectPane } from "./SubjectPane";
import { Suggestions } from "./Suggestions";
import { useSubjectWrites } from "./useSubjectWrites";
import type { Look } from "./view";

/** Comes when it is asked for: no other page pays for the layout. */
const PANE: LazyModule<typeof import("./graph/GraphPane")> = { load: () => import("./graph/GraphPane") };

const ROW = 52;
const ALL = "*";
const route = getRouteApi("/world");

/** Who and what the world is made of, by kind, with a page for each. */
export function WorldPage() {
  const { t } = useI18n();
  const nameOf = useKindName();
  const { id, kind, look = "list", as, by, add: wanted } = route.useSearch();
  const navigate = route.useNavigate();
  const isGraph = look === "graph";
  const GraphPane = useLazyModule(PANE, isGraph)?.default;
  // It is read while the pane comes.
  useQuery({ ...graphQuery(lensOf({ as, by })), enabled: isGraph, notifyOnChangeProps: [] });
  /** The graph has its first picture, which does not wait for what it can do without. */
  const [isDrawn, setIsDrawn] = useState(false);
  const query = useQuery({ ...subjectsQuery, enabled: !isGraph || isDrawn });
  const named = useQuery({ ...namedQuery, enabled: look === "list" });
  const readOnly = useQuery(statusQuery).data?.readOnly ?? false;
  const writes = useSubjectWrites();
  const [text, setText] = useState("");
  /** The name to begin with. */
  const [adding, setAdding] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const region = useRef<HTMLElement>(null);
  const [switched, setSwitched] = useState(false);

  const all = !isGraph || isDrawn ? query.data?.rows : undefined;
  const rows = useMemo(() => {
    const ofKind = all?.filter((row) => kind === undefined || row.kind === kind);
    return ofKind && (text.trim() === "" ? ofKind : found(ofKind, text));
  }, [all, kind, text]);
  const pages = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    const isWanted = ({ title, aliases }: PageRow) =>
      [title, ...aliases].some((name) => name.toLowerCase().includes(wanted));
    const alone = (query.data?.pages ?? []).filter((it) => it.subjectId === null).map((it) => it.page);
    return alone.filter((page) => (kind === undefined || page.pageKind === kind) && isWanted(page));
  }, [query.data, kind, text]);
  const openId = id ?? rows?.[0]?.id;
  const entry = named.data?.find((it) => it.id === openId && it.subject !== null);
  const go = useCallback(
    (next: string | undefined) => void navigate({ search: (before) => ({ ...before, id: next }) }),
    [navigate],
  );
  useActions(
    useMemo(
      (): Action[] => [
        {
          id: "world.new",
          group: "world",
          label: t("world.new"),
          enabled: !readOnly,
          run: () => setAdding(""),
        },
        {
          id: "world.graph",
          group: "world",
          label: t("command.goGraph"),
          run: () => void navigate({ search: (before) => ({ ...before, look: "graph" }) }),
        },
        {
          id: "world.facts",
          group: "world",
          label: t("command.goFacts"),
          run: () => void navigate({ search: (before) => ({ ...before, look: "facts" }) }),
        },
      ],
      [t, readOnly, navigate],
    ),
  );
  const setLook = (next: Look) => {
    setSwitched(true);
    void navigate({ search: (before) => ({ ...before, look: next === "list" ? undefined : next }) });
  };
  const looks = <LookSwitch key={look} value={look} focused={switched} onChange={setLook} />;
  const add = async (name: string, ofKind: string) => {
    const made = await writes.add(name, ofKind);
    void navigate({ search: { id: made, kind: kind === ofKind ? kind : undefined } });
  };
  const name = adding ?? (readOnly ? undefined : wanted);
  const dialog = name !== undefined && (
    <AddSubject
      key={name}
      name={name}
      kind={kind ?? "character"}
      onClose={() => {
        setAdding(null);
        if (wanted !== undefined)
          void navigate({ search: (before) => ({ ...before, add: undefined }), replace: true });
      }}
      onAdd={add}
    />
  );
  if (isGraph)
    return (
      <>
        {GraphPane && (
          <GraphPane
            look={looks}
            subjects={all}
            isDrawn={isDrawn}
            readOnly={readOnly}
            onDrawn={() => setIsDrawn(true)}
            onNew={() => setAdding("")}
          />
        )}
        {dialog}
      </>
    );
  if (look === "facts")
    return (
      <>
        <FactsPane look={looks} readOnly={readOnly} />
        {dialog}
      </>
    );
  return (
    <div className="flex h-full min-w-0">
      <div className="flex w-[clamp(15.5rem,24%,21.25rem)] narrow:w-60 shrink-0 flex-col border-r border-line">
        <div className="border-b border-line pt-3 pr-2 pb-3 pl-4">
          <div className="flex h-9 items-center justify-between gap-2">
            <h1 className="min-w-0 flex-1 truncate text-title font-strong text-ink">{t("nav.world")}</h1>
            <IconButton
              label={t("world.new")}
              shortcut="world.new"
              disabled={readOnly}
              onClick={() => setAdding("")}
            >
              <Plus size={16} aria-hidden />
            </IconButton>
          </div>
          <p className="mt-1 pr-2 text-meta text-pretty text-ink-2">{t("world.body")}</p>
          <div className="mt-3 pr-2">{looks}</div>
          {all !== undefined && all.length > 0 && (
            <div className="mt-3 flex items-center gap-1 pr-2">
              <input
                type="search"
                aria-label={t("world.find")}
                placeholder={t("world.find")}
                value={text}
                autoComplete="off"
                onChange={(event) => setText(event.target.value)}
                className={`${INPUT} min-w-0 flex-1`}
              />
              <Select
                ghost
                label={t("world.filter")}
                value={kind ?? ALL}
                onChange={(next) =>
                  void navigate({ search: { kind: next === ALL ? undefined : next, id: undefined } })
                }
                options={[
                  { value: ALL, label: t("world.all") },
                  ...(query.data?.kinds ?? [])
                    .filter((it) => it === kind || all.some((row) => row.kind === it))
                    .map((it) => ({ value: it, label: nameOf(it), icon: <KindIcon kind={it} /> })),
                ]}
              />
            </div>
          )}
        </div>
        {rows ? (
          rows.length > 0 ? (
            <Rows
              label={t("world.list")}
              items={rows}
              height={ROW}
              keyOf={(row) => row.id}
              chosen={openId}
              box={list}
              onOpen={(row) => go(row.id)}
            >
              {(row) => <Row row={row} />}
            </Rows>
          ) : (
            all !== undefined &&
            all.length > 0 && <p className="px-4 py-6 text-ui text-ink-2">{t("world.noneFound")}</p>
          )
        ) : (
          query.error && <Failed error={query.error} onRetry={() => void query.refetch()} />
        )}
        {rows?.length === 0 && <span className="flex-1" />}
        <PageLinks
          title={t("world.pages")}
          pages={pages}
          className="max-h-[40%] shrink-0 overflow-y-auto border-t border-line px-4 py-3"
        />
        {!readOnly && <Suggestions onChoose={setAdding} />}
      </div>
      {entry ? (
        <SubjectPane
          key={entry.id}
          entry={entry}
          readOnly={readOnly}
          region={region}
          onGone={() => {
            go(undefined);
            list.current?.focus();
          }}
          onLeave={() => list.current?.focus()}
        />
      ) : (
        <div className="flex min-w-0 flex-1 items-center justify-center overflow-y-auto">
          {all?.length === 0 ? (
            <Empty title={t("world.none.title")} body={t("world.none.body")}>
              <Button look="primary" disabled={readOnly} onClick={() => setAdding("")}>
                {t("world.new")}
              </Button>
            </Empty>
          ) : (
            id !== undefined &&
            named.data &&
            !named.isFetching && (
              <Empty title={t("world.gone.title")} body={t("world.gone.body")}>
                <Button onClick={() => go(undefined)}>{t("world.gone.back")}</Button>
              </Empty>
            )
          )}
        </div>
      )}
      {dialog}
    </div>
  );
}

function Row({ row }: { row: SubjectRow }) {
  const { t } = useI18n();
  const nameOf = useKindName();
  return (
    <div className="flex gap-2.5">
      <KindIcon kind={row.kind} className="mt-1 shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">
        <p className="truncate text-lead text-ink">{row.name}</p>
        <p className="truncate text-meta text-ink-2">
          {nameOf(row.kind)}
          {row.links > 0 && ` · ${t("world.links", { count: row.links })}`}
        </p>
      </div>
    </div>
  );
}
