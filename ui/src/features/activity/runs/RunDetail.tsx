import { useQuery } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { type RefObject, useState } from "react";
import { Button } from "../../../components/Button";
import { Confirm } from "../../../components/Modal";
import { Failed } from "../../../components/States";
import { TakenBack } from "../../../components/TakenBack";
import { type I18n, useI18n } from "../../../i18n/i18n";
import type { Reverted, RunView } from "../../../ipc/bindings.gen";
import { runItemsQuery } from "../../../ipc/queries";
import { COUNTED, titleOf } from "./counts";
import { Items } from "./Items";

type DetailProps = {
  run: RunView;
  readOnly: boolean;
  /** What came of taking it back, in this window. */
  reverted: Reverted | undefined;
  region: RefObject<HTMLElement | null>;
  onRevert(): Promise<void>;
  onLeave(): void;
};

function took(run: RunView, { t }: I18n): string | null {
  if (run.finishedAt === null) return null;
  const seconds = Math.round((Date.parse(run.finishedAt) - Date.parse(run.startedAt)) / 1000);
  const duration =
    seconds < 90
      ? t("run.seconds", { count: seconds })
      : t("run.minutes", { count: Math.round(seconds / 60) });
  return t("run.took", { duration });
}

/** One run: why it began, what it did to which memory, and the way back. */
export function RunDetail({ run, readOnly, reverted, region, onRevert, onLeave }: DetailProps) {
  const i18n = useI18n();
  const { t, number, relative, exact } = i18n;
  const items = useQuery(runItemsQuery(run.id));
  const [asking, setAsking] = useState(false);
  const ended = run.state !== "running";
  const counted = COUNTED.filter((it) => it === "scanned" || run.counts[it] > 0);
  const canRevert = ended && run.state !== "reverted" && (items.data?.length ?? 0) > 0;
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={t("run.region")}
      className="min-w-0 flex-1 overflow-y-auto overscroll-contain outline-none"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        onLeave();
      }}
    >
      <div className="mx-auto max-w-190 px-8 pt-7 pb-16">
        <header className="flex items-start gap-4">
          <div className="min-w-0 flex-1">
            <h2 className="text-title font-strong text-ink">{t(titleOf(run.task))}</h2>
            <p className="mt-1 text-ui text-ink-2">
              <span className={run.state === "failed" ? "text-danger" : "text-ink"}>
                {t(`run.state.${run.state}`)}.
              </span>{" "}
              {t(`run.trigger.${run.trigger}`)}
            </p>
            <p className="tabular mt-0.5 text-meta text-ink-3" title={exact(run.startedAt)}>
              {[t("run.started", { when: relative(run.startedAt) }), took(run, i18n)]
                .filter((it) => it !== null)
                .join(", ")}
            </p>
          </div>
          {canRevert && (
            <Button disabled={readOnly} onClick={() => setAsking(true)}>
              <RotateCcw size={14} aria-hidden />
              {t("run.revert")}
            </Button>
          )}
        </header>
        {run.error !== null && (
          <p role="alert" className="fc-border mt-4 rounded-md bg-warn-wash px-4 py-3 text-ui text-ink">
            {run.error}
          </p>
        )}
        {reverted && (
          <TakenBack
            message={t("run.reverted", { count: reverted.restored })}
            but={t("run.conflicts", { count: reverted.conflicts.length })}
            conflicts={reverted.conflicts}
          />
        )}
        {ended && (
          <dl className="tabular mt-6 mb-6 flex flex-wrap gap-x-10 gap-y-3">
            {counted.map((it) => (
              <div key={it} className="flex flex-col-reverse">
                <dt className="text-meta text-ink-2">{t(`run.count.${it}`)}</dt>
                <dd className="font-serif text-title text-ink">{number(run.counts[it])}</dd>
              </div>
            ))}
          </dl>
        )}
        {items.error && !items.data ? (
          <Failed error={items.error} onRetry={() => void items.refetch()} />
        ) : items.data && items.data.length > 0 ? (
          <Items items={items.data} />
        ) : (
          items.data && ended && <p className="text-ui text-ink-2">{t("run.nothing")}</p>
        )}
      </div>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          void onRevert();
        }}
        title={t("run.revertTitle")}
        body={t("run.revertBody")}
        confirm={t("run.revert")}
      />
    </section>
  );
}
