import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { type Action, useActions } from "../../../components/actions";
import { Button } from "../../../components/Button";
import { Modal } from "../../../components/Modal";
import { Progress } from "../../../components/Progress";
import { Empty, Failed } from "../../../components/States";
import { Time } from "../../../components/Time";
import { usePages } from "../../../components/usePages";
import { useI18n } from "../../../i18n/i18n";
import type { Reverted, RunView } from "../../../ipc/bindings.gen";
import { core } from "../../../ipc/client";
import { keys } from "../../../ipc/keys";
import { runPreviewQuery } from "../../../ipc/queries";
import { ListAndDetail } from "../ListAndDetail";
import { useView } from "../view";
import { brief, titleOf } from "./counts";
import { Items } from "./Items";
import { RunDetail } from "./RunDetail";
import { useRunProgress, useRunWrites } from "./useRuns";

const ROW = 64;
const PAGE = 50;
const idOf = (row: RunView) => row.id;

/** Consolidation and persist runs: what each did, and the way back from it as a whole. */
export function RunsPane({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n();
  const { view, go } = useView();
  const query = usePages(keys.runList, (after) => core.listRuns(after, PAGE), idOf);
  const { rows } = query;
  const progress = useRunProgress();
  const writes = useRunWrites();
  const [reverted, setReverted] = useState<ReadonlyMap<string, Reverted>>(new Map());
  const list = useRef<HTMLDivElement>(null);
  const region = useRef<HTMLElement>(null);
  const running = rows.find((it) => it.state === "running");
  const found = view.id === undefined ? rows[0] : rows.find((it) => it.id === view.id);
  const open = progress && found?.id === progress.run.id ? progress.run : found;

  const begin = useMemo(
    () => async () => {
      const id = await writes.begin();
      if (id === null) return;
      go({ id, preview: undefined }, { replace: true });
      // The button that began it can do nothing now.
      list.current?.focus();
    },
    [writes, go],
  );
  useActions(
    useMemo(
      (): Action[] => [
        {
          id: "run.now",
          group: "activity",
          label: t("command.consolidate"),
          enabled: !readOnly && !running,
          run: () => void begin(),
        },
      ],
      [t, readOnly, running, begin],
    ),
  );

  // A run whose end was not heard of is over once the list says so.
  const over = rows.some((it) => it.id === progress?.run.id && it.state !== "running");
  const under = progress && !over ? progress.run : running;
  return (
    <>
      <ListAndDetail
        label={t("run.list")}
        query={query}
        items={rows}
        height={ROW}
        chosen={open?.id}
        box={list}
        region={region}
        above={
          <>
            <div className="flex min-h-11 shrink-0 flex-wrap items-center gap-1 border-b border-line px-2 py-1.5">
              <Button look="ghost" className="px-2!" onClick={() => go({ preview: true })}>
                {t("run.preview")}
              </Button>
              <Button
                className="ml-auto"
                disabled={readOnly || under !== undefined}
                onClick={() => void begin()}
              >
                <Play size={14} aria-hidden />
                {t("run.now")}
              </Button>
            </div>
            {under && (
              <Running
                run={under}
                stage={progress?.stage || t("run.starting")}
                onCancel={() => {
                  writes.cancel(under.task);
                  list.current?.focus();
                }}
              />
            )}
          </>
        }
        empty={
          <Empty title={t("run.none.title")} body={t("run.none.body")}>
            <Button onClick={() => go({ preview: true })}>{t("run.preview")}</Button>
          </Empty>
        }
        detail={
          open && (
            <RunDetail
              key={open.id}
              run={open}
              readOnly={readOnly}
              reverted={reverted.get(open.id)}
              region={region}
              onLeave={() => list.current?.focus()}
              onRevert={async () => {
                const result = await writes.revert(open.id);
                if (result) setReverted((old) => new Map(old).set(open.id, result));
                region.current?.focus();
              }}
            />
          )
        }
      >
        {(run) => <Row run={run} />}
      </ListAndDetail>
      {view.preview && (
        <Preview
          readOnly={readOnly || under !== undefined}
          onClose={() => go({ preview: undefined }, { replace: true })}
          onRun={() => void begin()}
        />
      )}
    </>
  );
}

type RunningProps = { run: RunView; stage: string; onCancel(): void };

function Running({ run, stage, onCancel }: RunningProps) {
  const { t } = useI18n();
  return (
    <div role="status" className="shrink-0 border-b border-line bg-sunken px-4 py-3">
      <div className="flex items-center gap-3">
        <p className="min-w-0 flex-1 truncate text-ui text-ink">{stage}</p>
        <span className="tabular text-meta text-ink-2">
          {t("run.step", { done: run.done, total: run.total })}
        </span>
        <Button className="h-7!" onClick={onCancel}>
          {t("run.cancel")}
        </Button>
      </div>
      <Progress label={t("run.progress")} value={run.done} max={run.total} />
    </div>
  );
}

function Row({ run }: { run: RunView }) {
  const i18n = useI18n();
  const { t } = i18n;
  return (
    <>
      <p className="flex items-center gap-2 whitespace-nowrap">
        <span className="min-w-0 truncate text-lead text-ink">{t(titleOf(run.task))}</span>
        <Time iso={run.startedAt} className="ml-auto shrink-0 text-meta text-ink-3" />
      </p>
      <p className="mt-0.5 truncate text-meta text-ink-2">
        {run.state !== "done" && (
          <span className={run.state === "failed" ? "text-danger" : "text-ink"}>
            {t(`run.state.${run.state}`)}
            {run.state !== "running" && " · "}
          </span>
        )}
        {run.state !== "running" && brief(run.counts, i18n, run)}
      </p>
    </>
  );
}

type PreviewProps = { readOnly: boolean; onClose(): void; onRun(): void };

/** What a run would do now. Nothing is changed by looking. */
function Preview({ readOnly, onClose, onRun }: PreviewProps) {
  const i18n = useI18n();
  const { t } = i18n;
  const { data, error, refetch } = useQuery(runPreviewQuery);
  // Contradictions are only proposed: they touch no entry, and are something to do all the same.
  const tidy = data?.items.length === 0 && data.counts.proposed === 0;
  return (
    <Modal open onClose={onClose} title={t("run.previewTitle")} body={t("run.previewBody")} wide>
      {data ? (
        <section
          className="max-h-[46vh] overflow-y-auto"
          aria-label={t("run.previewTitle")}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is reached from the keyboard
          tabIndex={0}
        >
          {tidy ? (
            <p className="font-serif text-prose text-ink">{t("run.previewNone")}</p>
          ) : (
            <>
              <p className="tabular mb-3 text-ui text-ink-2">{brief(data.counts, i18n)}</p>
              <Items items={data.items} />
            </>
          )}
        </section>
      ) : error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <div role="status" aria-label={t("state.loading")} className="space-y-3">
          <div className="skeleton h-4 w-1/2" />
          <div className="skeleton h-12 w-full" />
        </div>
      )}
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{t("run.choose")}</Button>
        <Button look="primary" disabled={readOnly || !data || tidy} onClick={onRun}>
          {t("run.now")}
        </Button>
      </div>
    </Modal>
  );
}
