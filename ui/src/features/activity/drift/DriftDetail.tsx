import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { Button } from "../../../components/Button";
import { useI18n } from "../../../i18n/i18n";
import type { DriftDecision, DriftSettlement, DriftView } from "../../../ipc/bindings.gen";
import { Decisions } from "./Decisions";
import { Detail, Sides } from "./Detail";
import { comparedOf } from "./sides/kinds";
import { Side } from "./sides/Side";
import { useAbout } from "./sides/useAbout";

type DetailProps = {
  drift: DriftView;
  readOnly: boolean;
  region: RefObject<HTMLElement | null>;
  /** The decision whose form is open. */
  form: DriftDecision | null;
  onForm(decision: DriftDecision | null): void;
  onDecide(decision: DriftDecision): void;
  /** Throws what the core refuses. */
  onSettle(settlement: DriftSettlement): Promise<void>;
  onAgain(): void;
  onLeave(): void;
};

/** One contradiction: both sides, and what can be decided or was. */
export function DriftDetail(props: DetailProps) {
  const { drift, readOnly, region, form, onForm, onDecide, onSettle, onAgain, onLeave } = props;
  const { t, relative, exact } = useI18n();
  const { state, decision, canon, statement, createdAt } = drift;
  const isStale = state === "open" && (canon.changedSince || statement.changedSince);
  const about = { canon: useAbout(canon), statement: useAbout(statement) };
  return (
    <Detail
      region={region}
      title={
        state === "settled" && decision !== null
          ? t(`drift.decision.${decision}`)
          : t(state === "superseded" ? "drift.title.superseded" : "drift.title.open")
      }
      when={<span title={exact(createdAt)}>{t("drift.found", { when: relative(createdAt) })}</span>}
      onEscape={() => {
        if (form !== null) onForm(null);
        else onLeave();
      }}
      foot={state !== "open" && <Outcome drift={drift} />}
    >
      {isStale && (
        <Band>
          {t("drift.changed")}
          <Button className="mt-3 block!" onClick={onAgain}>
            {t("drift.again")}
          </Button>
        </Band>
      )}
      {state === "superseded" && <Band>{t("drift.superseded")}</Band>}
      <Sides>
        <Side title={t("drift.canon")} side={canon} other={comparedOf(statement)} about={about.canon} />
        <Side
          title={t("drift.statement")}
          side={statement}
          other={comparedOf(canon)}
          about={about.statement}
        />
      </Sides>
      {state === "open" && (
        <Decisions
          drift={drift}
          {...about}
          form={form}
          isOff={readOnly || isStale}
          onDecide={onDecide}
          onSettle={onSettle}
          onClose={() => {
            onForm(null);
            region.current?.focus();
          }}
        />
      )}
    </Detail>
  );
}

function Band({ children }: { children: ReactNode }) {
  return (
    <div
      role="status"
      className="fc-border mt-5 flex gap-2 rounded-md bg-warn-wash px-4 py-3 text-ui text-ink"
    >
      <TriangleAlert size={16} className="mt-0.5 shrink-0 text-warn" aria-hidden />
      <div>{children}</div>
    </div>
  );
}

/** What came of it, and the way to the change that carried it out. */
function Outcome({ drift: { state, decision, statement, changeId, settledAt } }: { drift: DriftView }) {
  const { t, relative, exact } = useI18n();
  return (
    <div className="shrink-0 border-t border-line py-3 text-ui text-ink-2">
      <p className="mx-auto flex max-w-220 flex-wrap items-center gap-x-2 px-8">
        <span>
          {decision === null
            ? t(`drift.state.${state}`)
            : t(`drift.was.${decision}`, { kind: statement.kind })}
          {settledAt !== null && (
            <span className="text-ink-3" title={exact(settledAt)}>
              {" · "}
              {state === "settled" ? t("drift.decided", { when: relative(settledAt) }) : relative(settledAt)}
            </span>
          )}
        </span>
        {changeId !== null && (
          <Link
            to="/activity"
            search={{ page: "changes", id: changeId }}
            className="ml-auto inline-flex min-h-6 items-center rounded-sm text-accent hover:underline"
          >
            {t("drift.seeChange")}
          </Link>
        )}
      </p>
    </div>
  );
}
