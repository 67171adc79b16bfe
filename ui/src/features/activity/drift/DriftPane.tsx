import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Action, useActions } from "../../../components/actions";
import { Button } from "../../../components/Button";
import { loadEditor } from "../../../components/LazyEditor";
import { Select } from "../../../components/Select";
import { Empty } from "../../../components/States";
import { useToasts } from "../../../components/toast";
import { useFactWrites } from "../../../components/useFactWrites";
import { useI18n } from "../../../i18n/i18n";
import type {
  ClaimView,
  DriftDecision,
  DriftSettlement,
  DriftView,
  FactView,
} from "../../../ipc/bindings.gen";
import { ListAndDetail } from "../ListAndDetail";
import { DRIFT_STATES, useView } from "../view";
import { ClaimDetail } from "./claims/ClaimDetail";
import { ClaimRow } from "./claims/ClaimRow";
import { ANSWERS, type Answer } from "./claims/claim";
import { decisionsOf, FORMS } from "./Decisions";
import { DriftDetail } from "./DriftDetail";
import { useInbox } from "./inbox";
import { Row } from "./Row";
import { useSettle } from "./useSettle";

const ROW = 84;

/** The inbox of contradictions: what is stated somewhere against canon, and your word on it. */
export function DriftPane({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n();
  const { view, go } = useView();
  const navigate = useNavigate();
  const { failed } = useToasts();
  const wanted = view.drift ?? "open";
  const state = wanted === "all" ? null : wanted;
  const { query, items, settled } = useInbox(state);
  const isSettling = useRef(false);
  const open = view.id === undefined ? items[0] : items.find((it) => it.id === view.id);
  const [form, setForm] = useState<{ id: string; decision: DriftDecision } | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const region = useRef<HTMLElement>(null);
  const settle = useSettle();
  const { settle: settleClaim } = useFactWrites();
  useEffect(() => void loadEditor(), []);

  /** On to the next item. The list has the focus, so that the keys go on working. */
  const onward = useCallback(
    (id: string) => {
      const at = items.findIndex((it) => it.id === id);
      const next = items[at + 1] ?? items[at - 1];
      if (state !== null) go({ id: next?.id }, { replace: true });
      list.current?.focus();
    },
    [items, state, go],
  );
  /** One decision at a time. */
  const alone = useCallback(async (act: () => Promise<void>) => {
    if (isSettling.current) return;
    isSettling.current = true;
    try {
      await act();
    } finally {
      isSettling.current = false;
    }
  }, []);
  const act = useCallback(
    (drift: DriftView, settlement: DriftSettlement) =>
      alone(async () => {
        await settle(drift, settlement);
        settled(drift.id);
        setForm(null);
        onward(drift.id);
      }),
    [alone, settle, settled, onward],
  );
  const answer = useCallback(
    (fact: FactView, claim: ClaimView, given: Answer) =>
      void alone(async () => {
        if (!(await settleClaim(claim, fact, given === "take"))) return;
        settled(claim.id);
        // A fact stays open while another claim waits.
        if (fact.claims.length === 1) onward(fact.id);
        else go({ id: fact.id }, { replace: true });
      }),
    [alone, settleClaim, settled, onward, go],
  );
  const decide = useCallback(
    (drift: DriftView, decision: DriftDecision) => {
      if (decision in FORMS) {
        setForm((old) =>
          old?.id === drift.id && old.decision === decision ? null : { id: drift.id, decision },
        );
        // It stays open when another one comes in on top of the list.
        go({ id: drift.id }, { replace: true });
      } else if (decision === "canon_stands" || decision === "dismiss" || decision === "derive_again")
        void act(drift, { kind: decision }).catch(failed);
    },
    [act, failed, go],
  );

  const drift = open?.kind === "drift" ? open.drift : undefined;
  const fact = open?.kind === "claim" ? open.fact : undefined;
  const isStale = drift !== undefined && (drift.canon.changedSince || drift.statement.changedSince);
  const canDecide = !readOnly && drift?.state === "open" && !isStale;
  useActions(
    useMemo((): Action[] => {
      const claim = fact?.claims[0];
      if (fact && claim)
        return ANSWERS.map((it) => ({
          id: `drift.${it}`,
          group: "activity",
          label: t(`drift.answer.${it}`),
          enabled: !readOnly,
          run: () => answer(fact, claim, it),
        }));
      if (!drift) return [];
      return decisionsOf(drift).map((decision) => ({
        id: `drift.${decision}`,
        group: "activity",
        label: t(`drift.decision.${decision}`),
        enabled: canDecide,
        run: () => decide(drift, decision),
      }));
    }, [t, drift, fact, readOnly, canDecide, decide, answer]),
  );

  const empty =
    wanted === "open" ? (
      <Empty title={t("drift.none.title")} body={t("drift.none.body")}>
        <Button onClick={() => void navigate({ to: "/memory", search: {} })}>{t("command.goMemory")}</Button>
      </Empty>
    ) : (
      <Empty title={t("drift.noneOf.title")} body={t("drift.noneOf.body")}>
        <Button onClick={() => go({ drift: undefined, id: undefined })}>{t("drift.state.open")}</Button>
      </Empty>
    );
  const detail = drift ? (
    <DriftDetail
      key={drift.id}
      drift={drift}
      readOnly={readOnly}
      region={region}
      form={form?.id === drift.id && canDecide ? form.decision : null}
      onForm={(decision) => setForm(decision && { id: drift.id, decision })}
      onDecide={(decision) => decide(drift, decision)}
      onSettle={(settlement) => act(drift, settlement)}
      onAgain={() => void query.refetch()}
      onLeave={() => list.current?.focus()}
    />
  ) : fact ? (
    <ClaimDetail
      key={fact.id}
      fact={fact}
      readOnly={readOnly}
      region={region}
      onSettle={(claim, given) => answer(fact, claim, given)}
      onLeave={() => list.current?.focus()}
    />
  ) : null;
  return (
    <ListAndDetail
      label={t("drift.list")}
      query={query}
      items={items}
      height={ROW}
      chosen={open?.id}
      box={list}
      region={region}
      above={
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
      }
      empty={empty}
      detail={detail}
      gone={
        <Empty title={t("drift.gone")} body={t("drift.goneBody")}>
          <Button onClick={() => go({ drift: "all" })}>{t("drift.state.all")}</Button>
        </Empty>
      }
    >
      {(item) => (item.kind === "claim" ? <ClaimRow fact={item.fact} /> : <Row row={item.drift} />)}
    </ListAndDetail>
  );
}
