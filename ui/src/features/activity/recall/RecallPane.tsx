import { useQuery } from "@tanstack/react-query";
import { Play, Plus } from "lucide-react";
import { useCallback, useMemo, useRef, useState } from "react";
import { type Action, useActions } from "../../../components/actions";
import { Button } from "../../../components/Button";
import { useFocusFallback } from "../../../components/hooks";
import { Confirm, focusAfter } from "../../../components/Modal";
import { EMPTY_RECALL, RecallDialog } from "../../../components/recall/RecallDialog";
import { useRecallWrites } from "../../../components/recall/useRecallWrites";
import { Empty, Failed } from "../../../components/States";
import { useToasts } from "../../../components/toast";
import { useI18n } from "../../../i18n/i18n";
import type { RecallTestView, Reverted } from "../../../ipc/bindings.gen";
import { recallTestsQuery } from "../../../ipc/queries";
import { Loading } from "../Loading";
import { useRunWrites } from "../runs/useRuns";
import { RecallList } from "./RecallList";

/** The tests whose run was taken back here, and what came of it. */
type RevertedBy = ReadonlyMap<string, Reverted>;

/** The author's tests of what the World Agent is shown, and how each came out. */
export function RecallPane({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n();
  const { data, error, refetch, isPending } = useQuery(recallTestsQuery);
  const writes = useRecallWrites();
  const runWrites = useRunWrites();
  const { notify } = useToasts();
  const [adding, setAdding] = useState<"first" | "more" | null>(null);
  const [removing, setRemoving] = useState<RecallTestView | null>(null);
  const [reverting, setReverting] = useState<{ test: string; run: string } | null>(null);
  const [reverted, setReverted] = useState<RevertedBy>(new Map());
  /** Asked for here and not back yet. */
  const [running, setRunning] = useState<ReadonlySet<string>>(new Set());
  const region = useRef<HTMLElement>(null);
  /** A removal or a way back was confirmed: the button that asked for it goes with what it stood in. */
  const isConfirmed = useRef(false);
  useFocusFallback(region);
  // A new one is where one looks first.
  const tests = useMemo(() => data?.toReversed() ?? [], [data]);
  const isAllRunning = tests.length > 0 && tests.every((test) => running.has(test.id));

  const isFirst = tests.length === 0;
  const begin = useCallback(() => setAdding(isFirst ? "first" : "more"), [isFirst]);
  const run = useCallback(
    async (ids: string[]) => {
      setRunning((old) => new Set([...old, ...ids]));
      await writes.run(ids);
      setRunning((old) => new Set([...old].filter((id) => !ids.includes(id))));
    },
    [writes],
  );
  const runAll = useCallback(() => void run(tests.map((test) => test.id)), [run, tests]);

  const finalFocus = () => focusAfter(isConfirmed.current, region);
  const remove = async (test: RecallTestView) => {
    isConfirmed.current = true;
    setRemoving(null);
    if (await writes.remove(test.id)) notify(t("recall.removed"));
  };
  const revert = async (of: { test: string; run: string }) => {
    isConfirmed.current = true;
    setReverting(null);
    const result = await runWrites.revert(of.run);
    if (result) setReverted((old) => new Map(old).set(of.test, result));
  };

  useActions(
    useMemo(
      (): Action[] => [
        {
          id: "recall.add",
          group: "activity",
          label: t("command.addRecallTest"),
          enabled: !readOnly,
          run: begin,
        },
        {
          id: "recall.run",
          group: "activity",
          label: t("command.runRecallTests"),
          enabled: !isFirst && !isAllRunning,
          run: runAll,
        },
      ],
      [t, readOnly, isFirst, isAllRunning, begin, runAll],
    ),
  );

  const add = (look: "plain" | "primary") => (
    <Button look={look} disabled={readOnly} onClick={begin}>
      <Plus size={14} aria-hidden />
      {t("recall.add")}
    </Button>
  );
  const body = () => {
    if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />;
    if (isPending) return <Loading height={96} />;
    if (isFirst)
      return (
        <Empty title={t("recall.none.title")} body={t("recall.none.body")}>
          {add("primary")}
        </Empty>
      );
    return (
      <>
        <div className="flex min-h-11 shrink-0 items-center border-b border-line">
          <div className="flex w-full max-w-270 flex-wrap items-center gap-2 px-4 py-1.5">
            <Summary tests={tests} isRunning={isAllRunning} />
            <Button
              className={isAllRunning ? "opacity-50" : undefined}
              // Not disabled, or the focus would be lost while they run.
              aria-disabled={isAllRunning || undefined}
              onClick={() => !isAllRunning && runAll()}
            >
              <Play size={14} aria-hidden />
              {t("recall.runAll")}
            </Button>
            {add("plain")}
          </div>
        </div>
        <RecallList
          tests={tests}
          running={running}
          reverted={reverted}
          readOnly={readOnly}
          onRun={(id) => void run([id])}
          onRemove={(test) => {
            isConfirmed.current = false;
            setRemoving(test);
          }}
          onRevert={(test, run) => {
            isConfirmed.current = false;
            setReverting({ test, run });
          }}
        />
      </>
    );
  };

  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={t("recall.list")}
      className="flex min-w-0 flex-1 flex-col outline-none"
    >
      {body()}
      {adding && (
        <RecallDialog
          draft={EMPTY_RECALL}
          isListed
          returnTo={adding === "first" ? region : undefined}
          onClose={() => setAdding(null)}
        />
      )}
      <Confirm
        open={removing !== null}
        onClose={() => setRemoving(null)}
        onConfirm={() => removing && void remove(removing)}
        title={t("recall.removeTitle")}
        body={t("recall.removeBody", { question: removing?.question ?? "" })}
        confirm={t("recall.removeDo")}
        finalFocus={finalFocus}
      />
      <Confirm
        open={reverting !== null}
        onClose={() => setReverting(null)}
        onConfirm={() => reverting && void revert(reverting)}
        title={t("run.revertTitle")}
        body={t("run.revertBody")}
        confirm={t("run.revert")}
        finalFocus={finalFocus}
      />
    </section>
  );
}

/** How all tests came out, in words. */
function Summary({ tests, isRunning }: { tests: readonly RecallTestView[]; isRunning: boolean }) {
  const { t } = useI18n();
  const passed = tests.filter((test) => test.passed === true).length;
  const notRun = tests.filter((test) => test.passed === null).length;
  const words = [
    t("recall.summary", { passed, total: tests.length }),
    notRun > 0 && t("recall.notRun", { count: notRun }),
  ].filter((it) => typeof it === "string");
  return (
    <p role="status" className="tabular mr-auto text-ui text-ink">
      {isRunning ? t("recall.running") : words.join(", ")}
    </p>
  );
}
