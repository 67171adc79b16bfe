import { Check, TriangleAlert, X } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Action, useActions } from "../../../components/actions";
import { Button, IconButton } from "../../../components/Button";
import { loadEditor } from "../../../components/LazyEditor";
import { plain } from "../../../components/plain";
import { Select } from "../../../components/Select";
import { Empty } from "../../../components/States";
import { isShortcut } from "../../../components/shortcuts/chosen";
import { Time } from "../../../components/Time";
import { usePages } from "../../../components/usePages";
import { useI18n } from "../../../i18n/i18n";
import type { ProposalView } from "../../../ipc/bindings.gen";
import { core } from "../../../ipc/client";
import { keys } from "../../../ipc/keys";
import { ListAndDetail } from "../ListAndDetail";
import { STATES, useView } from "../view";
import { KindIcon, kindKey } from "./Kind";
import { ProposalDetail } from "./ProposalDetail";
import { useDecide } from "./useDecide";

const ROW = 84;
const PAGE = 100;
const idOf = (row: ProposalView) => row.id;

/** The inbox: what somebody would change about what is yours, and your word on it. */
export function ProposalsPane({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n();
  const { view, go } = useView();
  const wanted = view.state ?? "open";
  const state = wanted === "all" ? null : wanted;
  const query = usePages(
    keys.proposalList(state),
    (after) => core.listProposals({ state, after, limit: PAGE }),
    idOf,
  );
  // Decided here, and not read again yet.
  const [done, setDone] = useState<{ ids: ReadonlySet<string>; seen: number }>({ ids: new Set(), seen: 0 });
  const fresh = query.dataUpdatedAt !== done.seen || state === null;
  const rows = useMemo(
    () => (fresh ? query.rows : query.rows.filter((it) => !done.ids.has(it.id))),
    [fresh, query.rows, done],
  );
  const deciding = useRef(false);
  const open = view.id === undefined ? rows[0] : rows.find((it) => it.id === view.id);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [editing, setEditing] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const region = useRef<HTMLElement>(null);
  const decide = useDecide();

  // What left the list cannot stay selected.
  const chosen = useMemo(() => rows.filter((it) => ticked.has(it.id)), [rows, ticked]);
  const toggle = useCallback((id: string) => {
    setTicked((old) => {
      const next = new Set(old);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  useEffect(() => void loadEditor(), []);

  const act = useCallback(
    async (proposals: readonly ProposalView[], decision: Parameters<typeof decide>[1]) => {
      if (deciding.current) return;
      deciding.current = true;
      const gone = new Set(proposals.map((it) => it.id));
      const at = rows.findIndex((it) => it.id === open?.id);
      const next = rows.slice(at).find((it) => !gone.has(it.id)) ?? rows.findLast((it) => !gone.has(it.id));
      const decided = await decide(proposals, decision);
      deciding.current = false;
      if (decided.length === 0) return;
      setDone({ ids: new Set(decided), seen: query.dataUpdatedAt });
      setTicked(new Set());
      setEditing(null);
      // On to the next one; the list has the focus, so that the keys go on working.
      if (state !== null) go({ id: next?.id }, { replace: true });
      list.current?.focus();
    },
    [rows, open, decide, state, go, query.dataUpdatedAt],
  );

  const canDecide = !readOnly && open?.state === "open";
  const stale = open?.subjects.some((it) => it.changedSince) ?? false;
  const plainAccept = canDecide && open?.kind !== "conflict" && !stale;
  useActions(
    useMemo((): Action[] => {
      if (!open) return [];
      return [
        {
          id: "proposal.accept",
          group: "activity",
          label: t("proposal.accept"),
          enabled: plainAccept,
          run: () => void act([open], { kind: "accept" }),
        },
        {
          id: "proposal.reject",
          group: "activity",
          label: t(open.kind === "conflict" ? "proposal.keepBoth" : "proposal.reject"),
          enabled: canDecide,
          run: () => void act([open], { kind: "reject" }),
        },
        {
          id: "proposal.edit",
          group: "activity",
          label: t("proposal.edit"),
          enabled: plainAccept && open.kind !== "retire",
          run: () => setEditing(open.id),
        },
      ];
    }, [t, open, plainAccept, canDecide, act]),
  );

  return (
    <ListAndDetail
      label={t("proposal.list")}
      query={query}
      items={rows}
      height={ROW}
      chosen={open?.id}
      ticked={ticked}
      onKey={(event, row) => {
        if (event.key === "Escape" && chosen.length > 0) setTicked(new Set());
        else if (event.key === " " || isShortcut(event, "list.select")) toggle(row.id);
        else return false;
        return true;
      }}
      box={list}
      region={region}
      above={
        <div className="flex h-11 shrink-0 items-center border-b border-line px-2">
          <Select
            ghost
            label={t("proposal.state")}
            value={wanted}
            onChange={(next) => go({ state: next === "open" ? undefined : next, id: undefined })}
            options={[...STATES, "all" as const].map((it) => ({
              value: it,
              label: t(`proposal.state.${it}`),
            }))}
          />
        </div>
      }
      below={
        chosen.length > 0 && (
          <div
            role="toolbar"
            aria-label={t("proposal.bulk")}
            className="appear flex h-12 shrink-0 items-center gap-1 border-t border-line bg-raised pr-2 pl-4"
          >
            <span aria-live="polite" className="tabular mr-auto truncate text-ui text-ink">
              {t("proposal.selected", { count: chosen.length })}
            </span>
            <Button disabled={readOnly} onClick={() => void act(chosen, { kind: "accept" })}>
              {t("proposal.accept")}
            </Button>
            <Button disabled={readOnly} onClick={() => void act(chosen, { kind: "reject" })}>
              {t("proposal.reject")}
            </Button>
            <IconButton
              label={t("proposal.clear")}
              shortcut="list.escape"
              onClick={() => {
                setTicked(new Set());
                list.current?.focus();
              }}
            >
              <X size={16} aria-hidden />
            </IconButton>
          </div>
        )
      }
      empty={
        wanted === "open" ? (
          <Empty title={t("proposal.none.title")} body={t("proposal.none.body")} />
        ) : (
          <Empty title={t("proposal.noneOf.title")} body={t("proposal.noneOf.body")}>
            <Button onClick={() => go({ state: undefined, id: undefined })}>
              {t("proposal.state.open")}
            </Button>
          </Empty>
        )
      }
      detail={
        open && (
          <ProposalDetail
            key={open.id}
            proposal={open}
            readOnly={readOnly}
            region={region}
            editing={editing === open.id}
            onEditing={(on) => setEditing(on ? open.id : null)}
            onDecide={(decision) => void act([open], decision)}
            onLeave={() => list.current?.focus()}
          />
        )
      }
      gone={
        <Empty title={t("proposal.gone")} body={t("proposal.goneBody")}>
          <Button onClick={() => go({ id: undefined })}>{t("proposal.state.open")}</Button>
        </Empty>
      }
    >
      {(row) => <Row row={row} ticked={ticked.has(row.id)} onToggle={() => toggle(row.id)} />}
    </ListAndDetail>
  );
}

type RowProps = { row: ProposalView; ticked: boolean; onToggle(): void };

function Row({ row, ticked, onToggle }: RowProps) {
  const { t } = useI18n();
  const [first] = row.subjects;
  const stale = row.state === "open" && row.subjects.some((it) => it.changedSince);
  return (
    <div className="flex gap-2.5">
      <span
        aria-hidden
        title={t("proposal.tick")}
        onClick={(event) => {
          event.stopPropagation();
          onToggle();
        }}
        className="group/tick -mt-0.5 -ml-1.5 flex size-6 shrink-0 items-center justify-center"
      >
        {ticked ? (
          <span className="flex size-4 items-center justify-center rounded-sm border border-accent bg-accent text-on-accent">
            <Check size={12} strokeWidth={3} />
          </span>
        ) : (
          <>
            <span className="group-hover/tick:hidden">
              <KindIcon kind={row.kind} />
            </span>
            <span className="hidden size-4 rounded-sm border border-line-strong bg-paper group-hover/tick:block" />
          </>
        )}
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 text-meta whitespace-nowrap text-ink-2">
          <span className="min-w-0 truncate">{t(kindKey(row))}</span>
          {row.state !== "open" && <span className="text-ink-3">{t(`proposal.state.${row.state}`)}</span>}
          {stale && (
            <span className="inline-flex items-center gap-1 text-warn">
              <TriangleAlert size={11} aria-hidden />
              {t("proposal.changedShort")}
            </span>
          )}
          <Time iso={row.createdAt} className="ml-auto shrink-0 text-ink-3" />
        </p>
        <p className="mt-0.5 line-clamp-2 font-serif text-snippet leading-5! wrap-anywhere text-ink">
          {plain(first?.content ?? row.content ?? "").text}
        </p>
      </div>
    </div>
  );
}
