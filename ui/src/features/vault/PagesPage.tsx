import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { clsx } from "clsx";
import { FileText, FolderCog, FolderPlus } from "lucide-react";
import { useCallback, useMemo, useRef, useState } from "react";
import { type Action, useActions } from "../../components/actions";
import { Button, IconButton } from "../../components/Button";
import { INPUT } from "../../components/Fields";
import { Highlight } from "../../components/Highlight";
import { useAddressed, useSettled } from "../../components/hooks";
import { plain } from "../../components/plain";
import { Rows } from "../../components/Rows";
import { Select } from "../../components/Select";
import { Empty, Failed } from "../../components/States";
import { useToasts } from "../../components/toast";
import { usePages } from "../../components/usePages";
import { visible } from "../../components/visible";
import { useI18n } from "../../i18n/i18n";
import type { PageHit, PageRow, VaultView } from "../../ipc/bindings.gen";
import { announce } from "../../ipc/changes";
import { core } from "../../ipc/client";
import { keys } from "../../ipc/keys";
import { pagesFoundQuery, statusQuery, vaultsQuery } from "../../ipc/queries";
import { FoldersPane, ScanProgress } from "./FoldersPane";
import { LinkDialog } from "./LinkDialog";
import { PagePane } from "./PagePane";
import { useScans } from "./useScans";

const ROW = 52;
/** With the passage that was found. */
const FOUND_ROW = 92;
const PAGE = 200;
const ALL = "*";
/** Milliseconds that the typing rests before pages are searched. */
const REST = 80;
const route = getRouteApi("/pages");
const idOf = (row: PageRow) => row.id;

/** A page of the list, with what was found in it. */
type Item = { row: PageRow; hit: PageHit | null };
const keyOf = ({ row }: Item) => row.id;

/** Pages by title; or those that a search finds, the best first. */
function useItems(vault: string | undefined, query: string) {
  const all = usePages(
    keys.pageList(vault ?? null),
    (after) => core.listPages({ vaultId: vault ?? null, after, limit: PAGE }),
    idOf,
  );
  const found = useQuery(pagesFoundQuery(query, vault ?? null));
  const hits = useMemo(
    (): Item[] | undefined => found.data?.map((hit) => ({ row: hit.page, hit })),
    [found.data],
  );
  const { rows } = all;
  const listed = useMemo(() => rows.map((row): Item => ({ row, hit: null })), [rows]);
  if (query !== "") return { items: hits, error: found.error, refetch: found.refetch, more: undefined };
  return { items: all.data && listed, error: all.error, refetch: all.refetch, more: all.more };
}

/** The pages of the linked folders, with one of them to read. */
export function PagesPage() {
  const { t } = useI18n();
  const { id, heading, vault, show, q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const { notify } = useToasts();
  const vaults = useQuery(vaultsQuery);
  const readOnly = useQuery(statusQuery).data?.readOnly ?? false;
  const scans = useScans();
  const [text, setText] = useAddressed(
    q,
    (next) => void navigate({ search: (before) => ({ ...before, q: next || undefined }), replace: true }),
  );
  const [linking, setLinking] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const region = useRef<HTMLElement>(null);
  const query = useSettled(text.trim(), text.trim() === "" ? 0 : REST);
  const { items, error, refetch, more } = useItems(vault, query);
  const openId = id ?? items?.[0]?.row.id;
  const folders = vaults.data;

  const go = useCallback(
    (next: string | undefined) => void navigate({ search: ({ vault, q }) => ({ vault, q, id: next }) }),
    [navigate],
  );
  const setShow = useCallback(
    (next: "folders" | undefined) => void navigate({ search: (before) => ({ ...before, show: next }) }),
    [navigate],
  );
  const { scan } = scans;
  const linked = (made: VaultView) => {
    announce("pages");
    // The core begins its first scan by itself.
    notify(t("vault.linked", { name: visible(made.name) }));
  };
  useActions(
    useMemo(
      (): Action[] => [
        {
          id: "pages.link",
          group: "pages",
          label: t("command.linkFolder"),
          enabled: !readOnly,
          run: () => setLinking(true),
        },
        ...(folders ?? []).map(
          (it): Action => ({
            id: `pages.scan.${it.id}`,
            group: "pages",
            label: t("command.scanFolder", { name: visible(it.name) }),
            enabled: !readOnly,
            run: () => void scan(it),
          }),
        ),
      ],
      [t, readOnly, folders, scan],
    ),
  );
  const isEmpty = folders?.length === 0;
  return (
    <div className="flex h-full min-w-0">
      <div className="flex w-[clamp(15.5rem,24%,21.25rem)] narrow:w-60 shrink-0 flex-col border-r border-line">
        <div className="border-b border-line pt-3 pr-2 pb-3 pl-4">
          <div className="flex h-9 items-center justify-between gap-2">
            <h1 className="min-w-0 flex-1 truncate text-title font-strong text-ink">{t("nav.pages")}</h1>
            {!isEmpty && (
              <IconButton
                label={t("vault.folders")}
                aria-pressed={show === "folders"}
                onClick={() => setShow(show === "folders" ? undefined : "folders")}
              >
                <FolderCog size={16} aria-hidden />
              </IconButton>
            )}
          </div>
          <p className="mt-1 pr-2 text-meta text-pretty text-ink-2">{t("vault.body")}</p>
          {folders !== undefined && !isEmpty && (
            <div className="mt-3 flex items-center gap-1 pr-2">
              <input
                type="search"
                aria-label={t("vault.find")}
                placeholder={t("vault.find")}
                value={text}
                autoComplete="off"
                maxLength={10_000}
                onChange={(event) => setText(event.target.value)}
                onKeyDown={(event) => {
                  if (event.key !== "ArrowDown") return;
                  event.preventDefault();
                  list.current?.focus();
                }}
                className={`${INPUT} min-w-0 flex-1`}
              />
              {folders.length > 1 && (
                <Select
                  ghost
                  label={t("vault.filter")}
                  value={vault ?? ALL}
                  onChange={(next) =>
                    void navigate({ search: ({ q }) => ({ q, vault: next === ALL ? undefined : next }) })
                  }
                  options={[
                    { value: ALL, label: t("vault.all") },
                    ...folders.map((it) => ({ value: it.id, label: visible(it.name) })),
                  ]}
                />
              )}
            </div>
          )}
          {show !== "folders" &&
            folders?.map((it) => {
              const step = scans.running.get(it.id);
              if (!step) return null;
              return (
                <div key={it.id} className="mt-3 flex items-center gap-2">
                  <div className="min-w-0 flex-1">
                    <ScanProgress name={visible(it.name)} done={step.done} total={step.total} />
                  </div>
                  <Button look="ghost" aria-label={t("vault.stopNamed")} onClick={scans.stop}>
                    {t("vault.stop")}
                  </Button>
                </div>
              );
            })}
        </div>
        {items && items.length > 0 ? (
          <Rows
            key={query === "" ? "all" : "found"}
            label={t("vault.list")}
            items={items}
            height={query === "" ? ROW : FOUND_ROW}
            keyOf={keyOf}
            chosen={show === "folders" ? undefined : openId}
            box={list}
            more={more}
            onOpen={({ row }, how) => {
              go(row.id);
              if (how === "enter") setTimeout(() => region.current?.focus(), 0);
            }}
          >
            {(item) => <Row {...item} />}
          </Rows>
        ) : error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          items && query !== "" && <p className="px-4 py-6 text-ui text-ink-2">{t("vault.noneFound")}</p>
        )}
      </div>
      {show === "folders" && folders !== undefined && !isEmpty ? (
        <FoldersPane
          vaults={folders}
          scans={scans}
          readOnly={readOnly}
          region={region}
          onLink={() => setLinking(true)}
          onUnlinked={(gone) => {
            announce("pages");
            if (vault === gone) void navigate({ search: { show: "folders" } });
          }}
          onClose={() => setShow(undefined)}
        />
      ) : openId !== undefined && !isEmpty ? (
        <PagePane
          key={openId}
          id={openId}
          heading={heading}
          vaults={folders ?? []}
          region={region}
          onLeave={() => list.current?.focus()}
          onGone={() => {
            go(undefined);
            list.current?.focus();
          }}
        />
      ) : (
        <div className="flex min-w-0 flex-1 items-center justify-center overflow-y-auto">
          {vaults.error && !error ? (
            <Failed error={vaults.error} onRetry={() => void vaults.refetch()} />
          ) : isEmpty ? (
            <Empty title={t("vault.none.title")} body={t("vault.none.body")}>
              <Button look="primary" disabled={readOnly} onClick={() => setLinking(true)}>
                <FolderPlus size={14} aria-hidden />
                {t("vault.link")}
              </Button>
            </Empty>
          ) : (
            folders &&
            items?.length === 0 &&
            query === "" &&
            scans.running.size === 0 && (
              <Empty title={t("vault.noPages.title")} body={t("vault.noPages.body")}>
                <Button onClick={() => setShow("folders")}>{t("vault.noPages.do")}</Button>
              </Empty>
            )
          )}
        </div>
      )}
      {linking && <LinkDialog onClose={() => setLinking(false)} onLinked={linked} />}
    </div>
  );
}

function Row({ row, hit }: Item) {
  return (
    <div className="flex gap-2.5">
      <FileText size={15} strokeWidth={1.75} className="mt-1 shrink-0 text-ink-3" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="truncate text-lead text-ink">{visible(row.title)}</p>
        {hit && (
          <p className="line-clamp-2 text-meta text-ink-2">
            <Highlight {...plain(hit.snippet, hit.spans, row.title)} />
          </p>
        )}
        <p className={clsx("truncate text-meta", hit ? "text-ink-3" : "text-ink-2")}>{visible(row.path)}</p>
      </div>
    </div>
  );
}
