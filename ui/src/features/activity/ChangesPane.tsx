import { Link, useNavigate } from "@tanstack/react-router";
import { clsx } from "clsx";
import { useEffect, useRef } from "react";
import { Button } from "../../components/Button";
import { plain } from "../../components/plain";
import { Select } from "../../components/Select";
import { Empty, Failed } from "../../components/States";
import { TierIcon } from "../../components/Tier";
import { Time } from "../../components/Time";
import { useToasts } from "../../components/toast";
import { useI18n } from "../../i18n/i18n";
import type { JournalView } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { Loading } from "./Loading";
import { LongList } from "./LongList";
import { useJournal } from "./useJournal";
import { ACTOR_KINDS, useView } from "./view";

const ROW = 48;
/** How far back a change is looked for that the address points at. */
const MOST_SOUGHT = 2000;

/** The journal: every write, whoever made it, with its way back. */
export function ChangesPane({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n();
  const { view, go } = useView();
  const { notify, failed } = useToasts();
  const navigate = useNavigate();
  const actorKind = view.actorKind ?? null;
  const query = useJournal(actorKind);
  const { rows, more } = query;
  const box = useRef<HTMLElement>(null);
  const isListed = view.id === undefined || rows.some((row) => row.changeId === view.id);
  const isSought = !isListed && more.exists && rows.length < MOST_SOUGHT;
  useEffect(() => {
    if (isSought) void more.load();
  }, [isSought, more]);

  const undo = async (row: JournalView) => {
    try {
      await core.undoChange(row.changeId);
      notify(t("activity.done.undone"));
      // The button goes; what it stood in stays.
      box.current?.focus();
    } catch (error) {
      failed(error);
    }
  };

  const body = () => {
    if (query.error && rows.length === 0)
      return <Failed error={query.error} onRetry={() => void query.refetch()} />;
    if (query.isPending) return <Loading height={ROW} />;
    if (rows.length === 0)
      return actorKind === null ? (
        <Empty title={t("change.none.title")} body={t("change.none.body")}>
          <Button onClick={() => void navigate({ to: "/memory", search: {} })}>
            {t("command.goMemory")}
          </Button>
        </Empty>
      ) : (
        <Empty title={t("change.noneOf.title")} body={t("change.noneOf.body")}>
          <Button onClick={() => go({ actorKind: undefined })}>{t("change.actorKind.all")}</Button>
        </Empty>
      );
    return (
      <LongList
        label={t("change.list")}
        rows={rows}
        keyOf={(row) => row.changeId}
        height={ROW}
        more={more}
        moreText={t("change.more")}
        current={view.id}
        box={box}
      >
        {(row) => <Change row={row} readOnly={readOnly} onUndo={() => void undo(row)} />}
      </LongList>
    );
  };

  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <div className="flex h-11 shrink-0 items-center border-b border-line">
        <div className="flex w-full max-w-270 px-2">
          <Select
            ghost
            label={t("change.actorKind")}
            value={actorKind ?? "all"}
            onChange={(next) =>
              go({ actorKind: next === "all" ? undefined : next, id: undefined }, { replace: true })
            }
            options={["all" as const, ...ACTOR_KINDS].map((it) => ({
              value: it,
              label: t(`change.actorKind.${it}`),
            }))}
          />
        </div>
      </div>
      {body()}
    </div>
  );
}

/** The way to the run or the client that a change belongs to. */
const WHERE =
  "inline-flex min-h-6 shrink-0 items-center rounded-sm text-meta text-ink-2 hover:text-accent hover:underline";

type ChangeProps = { row: JournalView; readOnly: boolean; onUndo(): void };

function Change({ row, readOnly, onUndo }: ChangeProps) {
  const { t, relative } = useI18n();
  const what = t(`change.what.${row.action}`, { count: row.entries });
  // What a run or a client wrote is taken back as a whole, where it says what that was.
  const undoable = row.undoneBy === null && row.runId === null && row.action !== "undo";
  return (
    <>
      <TierIcon scope={row.scope} size={15} />
      <span className="sr-only">{t(`tier.${row.scope}`)}: </span>
      <p className="flex min-w-0 flex-1 items-baseline gap-x-2">
        <span
          className={clsx(
            row.undoneBy === null ? "text-ink" : "text-ink-3 line-through decoration-1",
            row.about ? "shrink-0" : "min-w-0 truncate",
          )}
        >
          {what}
        </span>
        {row.about && (
          <Link
            to="/memory"
            search={{ id: row.about.id }}
            className="min-w-0 shrink truncate rounded-sm font-serif text-[0.9375rem] leading-6 text-ink hover:text-accent hover:underline"
          >
            {row.about.name ?? plain(row.about.preview).text}
          </Link>
        )}
        {row.about && row.entries > 1 && (
          <span className="shrink-0 text-ink-2">{t("change.others", { count: row.entries - 1 })}</span>
        )}
        <span className="shrink-0 text-ink-2">
          {"· "}
          {row.action === "setup"
            ? t(`actorKind.${row.actorKind}`)
            : t("history.by", {
                who: t(`actorKind.${row.actorKind}`),
                interface: t(`interface.${row.interface}`),
              })}
        </span>
      </p>
      {row.undoneBy !== null && <span className="shrink-0 text-meta text-ink-3">{t("change.undone")}</span>}
      {row.runId !== null &&
        (row.interface === "mcp" ? (
          <Link to="/control" search={{ part: "clients", client: row.runId }} className={WHERE}>
            {t("change.client")}
          </Link>
        ) : (
          <Link to="/activity" search={{ page: "runs", id: row.runId }} className={WHERE}>
            {t("change.run")}
          </Link>
        ))}
      <Time iso={row.at} className="tabular w-28 shrink-0 text-right text-meta text-ink-3" />
      <span className="flex w-16 shrink-0 justify-end">
        {undoable && (
          <Button
            look="ghost"
            className="-mr-2 h-7! px-2!"
            disabled={readOnly}
            aria-label={t("change.undoLabel", { what, when: relative(row.at) })}
            onClick={onUndo}
          >
            {t("change.undo")}
          </Button>
        )}
      </span>
    </>
  );
}
