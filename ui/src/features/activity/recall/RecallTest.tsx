import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Check, CircleAlert, LoaderCircle, Minus, RotateCcw, Trash2, X } from "lucide-react";
import { Button, IconButton } from "../../../components/Button";
import { useLensText } from "../../../components/lens/useLensText";
import { plain } from "../../../components/plain";
import { useRuleText } from "../../../components/recall/useRuleText";
import { TakenBack } from "../../../components/TakenBack";
import { Time } from "../../../components/Time";
import { useI18n } from "../../../i18n/i18n";
import type { RecallExpectation, RecallTestView, RecallTurned, Reverted } from "../../../ipc/bindings.gen";

type RecallTestProps = {
  test: RecallTestView;
  isRunning: boolean;
  readOnly: boolean;
  /** What came of taking back the run that turned it, in this window. */
  reverted: Reverted | undefined;
  onRun(): void;
  onRemove(): void;
  onRevert(run: string): void;
};

/** One test: how it came out, what was asked, and what was expected. */
export function RecallTest(props: RecallTestProps) {
  const { test, isRunning, readOnly, reverted, onRun, onRemove, onRevert } = props;
  const { t } = useI18n();
  const { short } = useLensText();
  const { question, lens, turned } = test;
  const state = test.passed === null ? "notRun" : test.passed ? "passed" : "failed";
  const Icon = isRunning ? LoaderCircle : { notRun: Minus, passed: Check, failed: CircleAlert }[state];
  const isFailed = state === "failed" && !isRunning;
  const channel = test.channelId && (test.channel === null ? t("recall.channelGone") : `#${test.channel}`);
  const about = [lens && short(lens), channel].filter((it) => typeof it === "string");
  return (
    <div className="flex gap-3 border-b border-line py-4">
      <Icon
        size={16}
        className={clsx("mt-0.5 shrink-0", isFailed ? "text-danger" : "text-ink-3")}
        aria-hidden
      />
      <div className="min-w-0 flex-1">
        <h2 className="text-lead font-strong wrap-anywhere text-ink">{question}</h2>
        <p className="tabular mt-0.5 text-meta wrap-anywhere text-ink-2">
          <span className={isFailed ? "text-danger" : "text-ink"}>
            {isRunning ? t("recall.runningOne") : t(`recall.state.${state}`)}
          </span>
          {about.map((it) => (
            <span key={it}> · {it}</span>
          ))}
          {test.runAt !== null && (
            <span className="text-ink-3">
              {" · "}
              <Time iso={test.runAt} />
            </span>
          )}
        </p>
        <ul aria-label={t("recall.expects")} className="mt-2 space-y-1">
          {test.expects.map((it) => (
            <Expectation key={it.id} expectation={it} hasRun={test.passed !== null} />
          ))}
        </ul>
        {turned && <Turned turned={turned} readOnly={readOnly} onRevert={onRevert} />}
        {reverted && (
          <TakenBack
            message={t("run.reverted", { count: reverted.restored })}
            but={t("run.conflicts", { count: reverted.conflicts.length })}
            conflicts={reverted.conflicts}
          />
        )}
      </div>
      <div className="-my-1.5 -mr-2 flex shrink-0 items-start">
        <Button
          look="ghost"
          className={clsx("px-2!", isRunning && "opacity-50")}
          // Not disabled, or the focus would be lost while it runs.
          aria-disabled={isRunning || undefined}
          aria-label={t("recall.runNamed", { question })}
          onClick={() => !isRunning && onRun()}
        >
          {t("recall.run")}
        </Button>
        <IconButton disabled={readOnly} label={t("recall.removeNamed", { question })} onClick={onRemove}>
          <Trash2 size={16} aria-hidden />
        </IconButton>
      </div>
    </div>
  );
}

type ExpectationProps = { expectation: RecallExpectation; hasRun: boolean };

/** What must come up or must not, and why it was not so. */
function Expectation({ expectation, hasRun }: ExpectationProps) {
  const { t } = useI18n();
  const ruleText = useRuleText();
  const { kind, id, label, must, failure } = expectation;
  const Icon = failure ? X : Check;
  const text = label === "" ? t("ledger.gone") : plain(label).text;
  const words = clsx("font-serif text-snippet wrap-anywhere", failure ? "line-clamp-2" : "line-clamp-1");
  return (
    <li className="grid grid-cols-[0.875rem_7rem_minmax(0,1fr)] items-baseline gap-x-2">
      <span className="self-start pt-1">
        {hasRun && (
          <>
            <Icon size={14} className={failure ? "text-danger" : "text-ink-3"} aria-hidden />
            <span className="sr-only">{t(failure ? "recall.notMet" : "recall.met")}: </span>
          </>
        )}
      </span>
      <span className="text-meta text-ink-2">{t(`recall.must.${must}`)}</span>
      <div className="min-w-0">
        {kind === "memory" && label !== "" ? (
          <Link to="/memory" search={{ id }} className={clsx(words, "rounded-sm text-ink hover:text-accent")}>
            {text}
          </Link>
        ) : (
          <p className={clsx(words, label === "" ? "text-ink-3 italic" : "text-ink")}>
            {kind === "fact" && <span className="font-sans text-meta text-ink-3">{t("recall.fact")} </span>}
            {text}
          </p>
        )}
        {failure && (
          <p className="tabular mt-0.5 text-ui text-pretty text-ink-2">
            <span className="text-ink">{ruleText(failure.rule)}</span>{" "}
            {failure.rank !== null &&
              (failure.of === null
                ? t("recall.rank", { rank: failure.rank })
                : t("recall.rankOf", { rank: failure.rank, of: failure.of }))}
          </p>
        )}
      </div>
    </li>
  );
}

type TurnedProps = { turned: RecallTurned; readOnly: boolean; onRevert(run: string): void };

/** What turned a test that passed, with the way back if there is one. */
function Turned({ turned, readOnly, onRevert }: TurnedProps) {
  const { t, exact } = useI18n();
  const { at, by, runId } = turned;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="text-ui text-pretty text-ink-2">{t(`recall.turned.${by}`, { when: exact(at) })}</p>
      {runId !== null && (
        <Button disabled={readOnly} onClick={() => onRevert(runId)}>
          <RotateCcw size={14} aria-hidden />
          {t("run.revert")}
        </Button>
      )}
    </div>
  );
}
