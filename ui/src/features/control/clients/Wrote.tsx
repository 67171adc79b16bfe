import { useInfiniteQuery } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useId, useRef, useState } from "react";
import { Button } from "../../../components/Button";
import { Confirm } from "../../../components/Modal";
import { ShowMore } from "../../../components/ShowMore";
import { Failed } from "../../../components/States";
import { TakenBack } from "../../../components/TakenBack";
import { TierIcon } from "../../../components/Tier";
import { Time } from "../../../components/Time";
import { useI18n } from "../../../i18n/i18n";
import type {
  ClientUndone,
  ClientView,
  ClientWritesUndone,
  ClientWriteView,
} from "../../../ipc/bindings.gen";
import { core } from "../../../ipc/client";
import { keys } from "../../../ipc/keys";
import { useClientWrites } from "./useClientWrites";

const PAGE = 20;

/** Everything a client wrote, and the one way back from all of it. */
export function Wrote({ client, readOnly }: { client: ClientView; readOnly: boolean }) {
  const { t } = useI18n();
  const writes = useClientWrites();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [undone, setUndone] = useState<ClientUndone | null>(null);
  const region = useRef<HTMLElement>(null);
  const id = useId();
  const queryKey = keys.clientChanges(client.id);
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => core.clientChanges(client.id, pageParam, PAGE),
    initialPageParam: null as number | null,
    // The journal names its places by text, this command by number.
    getNextPageParam: (page) => (page.next === null ? null : Number(page.next)),
    staleTime: 0,
  });
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? [];
  const takeBack = async () => {
    setAsking(false);
    setBusy(true);
    const result = await writes.undo(client);
    setBusy(false);
    if (result) setUndone(result);
    region.current?.focus();
  };
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-labelledby={id}
      className="mt-8 border-t border-line pt-5 outline-none"
    >
      <div className="flex items-center justify-between gap-4">
        <h3 id={id} className="text-lead font-strong text-ink">
          {t("clients.wrote")}
        </h3>
        {client.writes > 0 && (
          <Button
            disabled={readOnly}
            aria-disabled={busy || undefined}
            onClick={() => !busy && setAsking(true)}
          >
            <RotateCcw size={14} aria-hidden />
            {t("clients.undo")}
          </Button>
        )}
      </div>
      {undone && (
        <TakenBack
          message={t("clients.undone", { count: undone.restored })}
          but={t("clients.conflicts", { count: undone.conflicts.length })}
          conflicts={undone.conflicts}
        >
          <OtherWrites writes={undone.writes} />
        </TakenBack>
      )}
      {query.error && rows.length === 0 ? (
        <Failed error={query.error} onRetry={() => void query.refetch()} />
      ) : rows.length === 0 ? (
        !query.isPending && <p className="mt-2 text-ui text-ink-2">{t("clients.wroteNone")}</p>
      ) : (
        <ul className="mt-2">
          {rows.map((row) => (
            <li
              key={row.changeId}
              className="flex min-h-10 items-center gap-3 border-b border-line text-ui text-ink"
            >
              <TierIcon scope={row.scope} size={15} />
              <span className="sr-only">{t(`tier.${row.scope}`)}: </span>
              <span
                className={row.undoneBy === null ? "flex-1" : "flex-1 text-ink-3 line-through decoration-1"}
              >
                {row.wrote ? (
                  <Written wrote={row.wrote} />
                ) : (
                  t(`change.what.${row.action}`, { count: row.entries })
                )}
              </span>
              {row.undoneBy !== null && <span className="text-meta text-ink-3">{t("change.undone")}</span>}
              <Time iso={row.at} className="tabular w-28 shrink-0 text-right text-meta text-ink-3" />
            </li>
          ))}
        </ul>
      )}
      <ShowMore queryKey={queryKey} query={query}>
        {t("clients.wroteMore")}
      </ShowMore>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void takeBack()}
        title={t("clients.undoTitle", { name: client.name })}
        body={t("clients.undoBody", { count: client.writes })}
        confirm={t("clients.undo")}
      />
    </section>
  );
}

/** Something besides memory, by what people know it as. */
function Written({ wrote }: { wrote: ClientWriteView }) {
  const { t } = useI18n();
  if (wrote.kind === "setting") return t("clients.write.setting");
  return t(`clients.write.${wrote.kind}`, { label: wrote.label === "" ? t("clients.gone") : wrote.label });
}

/** What came of taking back what was written besides memory. */
function OtherWrites({ writes }: { writes: ClientWritesUndone }) {
  const { t } = useI18n();
  const lines = [
    writes.facts > 0 && t("clients.back.facts", { count: writes.facts }),
    writes.messages > 0 && t("clients.back.messages", { count: writes.messages, answered: writes.answered }),
    writes.notes > 0 && t("clients.back.notes", { count: writes.notes }),
    writes.switched && t("clients.back.switched"),
    writes.proposals > 0 && t("clients.back.proposals", { count: writes.proposals }),
  ].filter((line) => line !== false);
  return (
    <>
      {lines.map((line) => (
        <p key={line} className="mt-1">
          {line}
        </p>
      ))}
      {writes.notUndone.length > 0 && (
        <>
          <p className="mt-1">{t("clients.kept", { count: writes.notUndone.length })}</p>
          <ul className="mt-1">
            {writes.notUndone.map(({ wrote, why }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two messages of one conversation are told alike
              <li key={at} className="py-1">
                <Written wrote={wrote} />
                <span className="text-ink-2">: {t(`clients.why.${why}`)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
