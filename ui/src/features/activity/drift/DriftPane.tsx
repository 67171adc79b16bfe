import { useNavigate } from "@tanstack/react-router";
import { clsx } from "clsx";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Action, useActions } from "../../../components/actions";
import { Button } from "../../../components/Button";
import { loadEditor } from "../../../components/LazyEditor";
import { Rows } from "../../../components/Rows";
import { Select } from "../../../components/Select";
import { Empty, Failed } from "../../../components/States";
import { useToasts } from "../../../components/toast";
import { usePages } from "../../../components/usePages";
import { useI18n } from "../../../i18n/i18n";
import type { DriftDecision, DriftSettlement, DriftView } from "../../../ipc/bindings.gen";
import { core } from "../../../ipc/client";
import { keys } from "../../../ipc/keys";
import { Loading } from "../Loading";
import { DRIFT_STATES, useView } from "../view";
import { DECISION_KEYS, DECISIONS, FORMS } from "./Decisions";
import { DriftDetail } from "./DriftDetail";
import { Row } from "./Row";
import { useSettle } from "./useSettle";

const ROW = 84;
const PAGE = 100;
const idOf = (row: DriftView) => row.id;

/** The inbox of contradictions: what is stated somewhere against canon, and your word on it. */
export function DriftPane({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n();
  const { view, go } = useView();
  const navigate = useNavigate();
  const { failed } = useToasts();
  const wanted = view.drift ?? "open";
  const state = wanted === "all" ? null : wanted;
  const query = usePages(
    keys.driftList(state),
    (after) => core.listDrifts({ state, after, limit: PAGE }),
    idOf,
  );
  // Settled here, and not read again yet.
  const [done, setDone] = useState<{ ids: ReadonlySet<string>; seen: number }>({ ids: new Set(), seen: 0 });
  const isFresh = query.dataUpdatedAt !== done.seen || state !== "open";
  const rows = useMemo(
    () => (isFresh ? query.rows : query.rows.filter((it) => !done.ids.has(it.id))),
    [isFresh, query.rows, done],
  );
  const isSettling = useRef(false);
  const open = view.id === undefined ? rows[0] : rows.find((it) => it.id === view.id);
  const [form, setForm] = useState<{ id: string; decision: DriftDecision } | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const region = useRef<HTMLElement>(null);
  const settle = useSettle();
  useEffect(() => void loadEditor(), []);

  const act = useCallback(
    async (drift: DriftView, settlement: DriftSettlement) => {
      if (isSettling.current) return;
      isSettling.current = true;
      try {
        const at = rows.findIndex((it) => it.id === drift.id);
        const next = rows[at + 1] ?? rows[at - 1];
        await settle(drift, settlement);
        const seen = query.dataUpdatedAt;
        setDone((old) => ({ ids: new Set([...(old.seen === seen ? old.ids : []), drift.id]), seen }));
        setForm(null);
        // On to the next one; the list has the focus, so that the keys go on working.
        if (state !== null) go({ id: next?.id }, { replace: true });
        list.current?.focus();
      } finally {
        isSettling.current = false;
      }
    },
    [rows, settle, state, go, query.dataUpdatedAt],
  );
  const decide = useCallback(
    (drift: DriftView, decision: DriftDecision) => {
      if (decision in FORMS) {
        setForm((old) =>
          old?.id === drift.id && old.decision === decision ? null : { id: drift.id, decision },
        );
        // It stays open when another one comes in on top of the list.
        go({ id: drift.id }, { replace: true });
      } else if (decision === "canon_stands" || decision === "dismiss")
        void act(drift, { kind: decision }).catch(failed);
    },
    [act, failed, go],
  );

  const isStale = open !== undefined && (open.canon.changedSince || open.statement.changedSince);
  const canDecide = !readOnly && open?.state === "open" && !isStale;
  useActions(
    useMemo((): Action[] => {
      if (!open) return [];
      return DECISIONS.map((decision) => ({
        id: `drift.${decision}`,
        group: "activity",
        label: t(`drift.decision.${decision}`),
        keys: DECISION_KEYS[decision],
        enabled: canDecide,
        run: () => decide(open, decision),
      }));
    }, [t, open, canDecide, decide]),
  );

  const none = rows.length === 0 && !query.isPending;
  const body = () => {
    if (query.error && rows.length === 0)
      return <Failed error={query.error} onRetry={() => void query.refetch()} />;
    if (query.isPending) return <Loading height={ROW} />;
    if (rows.length === 0)
      return wanted === "open" ? (
        <Empty title={t("drift.none.title")} body={t("drift.none.body")}>
          <Button onClick={() => void navigate({ to: "/memory", search: {} })}>
            {t("command.goMemory")}
          </Button>
        </Empty>
      ) : (
        <Empty title={t("drift.noneOf.title")} body={t("drift.noneOf.body")}>
          <Button onClick={() => go({ drift: undefined, id: undefined })}>{t("drift.state.open")}</Button>
        </Empty>
      );
    return (
      <Rows
        label={t("drift.list")}
        items={rows}
        height={ROW}
        keyOf={idOf}
        chosen={open?.id}
        box={list}
        onOpen={(row, how) => {
          go({ id: row.id }, { replace: true });
          if (how === "enter") setTimeout(() => region.current?.focus(), 0);
        }}
        onFollow={(row) => go({ id: row.id }, { replace: true })}
        onEnd={query.hasNextPage ? query.more : undefined}
      >
        {(row) => <Row row={row} />}
      </Rows>
    );
  };

  return (
    <>
      <div
        className={clsx(
          "flex flex-col",
          // Where there is nothing to choose, nothing stands next to it.
          none ? "min-w-0 flex-1" : "w-[clamp(300px,32%,440px)] shrink-0 border-r border-line",
        )}
      >
        <div className="flex h-11 shrink-0 items-center border-b border-line px-2">
          <Select
            ghost
            label={t("drift.state")}
            value={wanted}
            onChange={(next) => go({ drift: next === "open" ? undefined : next, id: undefined })}
            options={[...DRIFT_STATES, "all" as const].map((it) => ({
              value: it,
              label: t(`drift.state.${it}`),
            }))}
          />
        </div>
        {body()}
      </div>
      {open ? (
        <DriftDetail
          key={open.id}
          drift={open}
          readOnly={readOnly}
          region={region}
          form={form?.id === open.id && canDecide ? form.decision : null}
          onForm={(decision) => setForm(decision && { id: open.id, decision })}
          onDecide={(decision) => decide(open, decision)}
          onSettle={(settlement) => act(open, settlement)}
          onAgain={() => void query.refetch()}
          onLeave={() => list.current?.focus()}
        />
      ) : view.id !== undefined && !query.isPending && rows.length > 0 ? (
        <div className="flex min-w-0 flex-1 items-center justify-center">
          <Empty title={t("drift.gone")} body={t("drift.goneBody")}>
            <Button onClick={() => go({ drift: "all" })}>{t("drift.state.all")}</Button>
          </Empty>
        </div>
      ) : (
        !none && <div className="min-w-0 flex-1" />
      )}
    </>
  );
}
