import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Check, CircleAlert, LoaderCircle, Minus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/Button";
import { Failed } from "../../components/States";
import { ROW, Table } from "../../components/Table";
import { Time, useNow } from "../../components/Time";
import { useToasts } from "../../components/toast";
import { type I18n, useI18n } from "../../i18n/i18n";
import type { TaskView } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { tasksQuery } from "../../ipc/queries";
import { Loading } from "./Loading";

const TITLED = ["embed", "persist", "consolidate", "summarise", "review", "thin", "agent_telemetry"] as const;

/** A task in the words of the window; one that this window does not know keeps the title of the core. */
function titleOf(task: TaskView, { t }: I18n): string {
  const known = TITLED.find((it) => it === task.name);
  return known ? t(`task.title.${known}`) : task.title;
}

function every(minutes: number | null, { t }: I18n): string {
  if (minutes === null) return t("task.onDemand");
  if (minutes > 60 && minutes < 1440 && minutes % 60 === 0)
    return t("task.everyHours", { hours: minutes / 60 });
  return t("task.every", { minutes });
}

/** What Inklings does by itself: when it last did, what came of it, and when it is due. */
export function TasksPane({ readOnly }: { readOnly: boolean }) {
  const i18n = useI18n();
  const { t } = i18n;
  const { data, error, refetch, isPending } = useQuery(tasksQuery);
  const { notify, failed } = useToasts();
  /** Asked for here and not back yet. */
  const [asked, setAsked] = useState<ReadonlySet<string>>(new Set());
  const run = async (task: TaskView) => {
    setAsked((old) => new Set(old).add(task.name));
    try {
      const after = await core.runTask(task.name);
      if (after.outcome === "done") notify(t("task.done", { title: titleOf(task, i18n) }));
      else if (after.message !== null) failed({ code: "internal", message: after.message, details: null });
    } catch (thrown) {
      failed(thrown);
    } finally {
      setAsked((old) => new Set([...old].filter((it) => it !== task.name)));
    }
  };
  if (error && !data)
    return (
      <div className="min-w-0 flex-1">
        <Failed error={error} onRetry={() => void refetch()} />
      </div>
    );
  if (isPending) return <Loading height={56} />;
  return (
    <div className="min-w-0 flex-1 overflow-y-auto overscroll-contain">
      <div className="max-w-270 px-4 pt-6 pb-16">
        <p className="max-w-[60ch] text-lead text-pretty text-ink-2">{t("task.body")}</p>
        <Table
          caption={t("task.table")}
          className="mt-5 w-full"
          columns={[
            { label: t("task.column.task") },
            { label: t("task.column.last"), width: "w-36" },
            { label: t("task.column.outcome"), width: "w-[26%]" },
            { label: t("task.column.next"), width: "w-36" },
            { label: null, width: "w-28" },
          ]}
        >
          {data?.map((task) => (
            <Task
              key={task.name}
              task={task}
              running={task.running || asked.has(task.name)}
              readOnly={readOnly}
              onRun={() => void run(task)}
            />
          ))}
        </Table>
      </div>
    </div>
  );
}

type TaskProps = { task: TaskView; running: boolean; readOnly: boolean; onRun(): void };

function Task({ task, running, readOnly, onRun }: TaskProps) {
  const i18n = useI18n();
  const { t } = i18n;
  const title = titleOf(task, i18n);
  const bad = task.outcome === "failed" || task.outcome === "panicked";
  const Icon = running ? LoaderCircle : bad ? CircleAlert : task.outcome === "done" ? Check : Minus;
  return (
    <tr className={ROW}>
      <th scope="row" className="text-left font-normal">
        <span className="block text-ink">{title}</span>
        <span className="block text-meta text-ink-3">{every(task.everyMinutes, i18n)}</span>
      </th>
      <td className="text-ink-2">
        {task.lastStartedAt === null ? t("task.never") : <Time iso={task.lastStartedAt} />}
      </td>
      <td>
        {(running || task.outcome !== null) && (
          <span className={`flex items-start gap-1.5 ${bad && !running ? "text-danger" : "text-ink-2"}`}>
            <Icon size={14} className="mt-0.75 shrink-0" aria-hidden />
            <span>
              {running ? t("task.running") : task.outcome && t(`task.outcome.${task.outcome}`)}
              {!running && task.message !== null && (
                <span className="block text-meta text-pretty text-ink-2">{task.message}</span>
              )}
            </span>
          </span>
        )}
      </td>
      <td className="text-ink-2">{task.nextDueAt !== null && <Due iso={task.nextDueAt} />}</td>
      <td className="text-right">
        <Button
          className={clsx("-my-1", running && "opacity-50")}
          disabled={readOnly}
          // Not disabled, or the focus would be lost while it runs.
          aria-disabled={running || undefined}
          aria-label={t("task.runNamed", { title })}
          onClick={() => !running && onRun()}
        >
          {t("task.run")}
        </Button>
      </td>
    </tr>
  );
}

/** When it is next. One whose time has come waits for its turn, and says so. */
function Due({ iso }: { iso: string }) {
  const { t, exact } = useI18n();
  const now = useNow();
  if (Date.parse(iso) > now) return <Time iso={iso} />;
  return <span title={t("task.overdueSince", { when: exact(iso) })}>{t("task.overdue")}</span>;
}
