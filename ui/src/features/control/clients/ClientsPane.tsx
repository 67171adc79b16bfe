import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Plus } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { type Action, useActions } from "../../../components/actions";
import { Button } from "../../../components/Button";
import { Empty, Failed } from "../../../components/States";
import { useRelative } from "../../../components/Time";
import { useI18n } from "../../../i18n/i18n";
import type { ClientView, NewClient } from "../../../ipc/bindings.gen";
import { clientsQuery } from "../../../ipc/queries";
import { Loading } from "../Loading";
import { useView } from "../view";
import { AddDialog } from "./AddDialog";
import { ClientDetail } from "./ClientDetail";
import { Server } from "./Server";
import { useClientWrites } from "./useClientWrites";

/** Who else may come in: the server they come through, each client, and what it may do and wrote. */
export function ClientsPane({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n();
  const { view, go } = useView();
  const { data, error, refetch, isPending } = useQuery(clientsQuery);
  const writes = useClientWrites();
  const [adding, setAdding] = useState(false);
  /** The token that was made last, until it is put away. In this component only, and nowhere else. */
  const [fresh, setFresh] = useState<NewClient | null>(null);
  const region = useRef<HTMLElement>(null);
  useActions(
    useMemo(
      (): Action[] => [
        {
          id: "client.add",
          group: "control",
          label: t("clients.addTitle"),
          enabled: !readOnly,
          run: () => setAdding(true),
        },
      ],
      [t, readOnly],
    ),
  );
  // Those that may come in first, in the order in which they were added.
  const rows = [...(data ?? [])].sort((a, b) => Number(a.revokedAt !== null) - Number(b.revokedAt !== null));
  const open = rows.find((it) => it.id === view.client) ?? rows[0];
  const shown = (made: NewClient) => {
    setFresh(made);
    setTimeout(() => region.current?.focus(), 0);
  };

  const body = () => {
    if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />;
    if (isPending) return <Loading />;
    if (!open)
      return (
        <Empty title={t("clients.none.title")} body={t("clients.none.body")}>
          <Button look="primary" disabled={readOnly} onClick={() => setAdding(true)}>
            {t("clients.add")}
          </Button>
        </Empty>
      );
    return (
      <div className="flex flex-col gap-8 lg:flex-row">
        <div className="w-full shrink-0 lg:w-60">
          <ul aria-label={t("clients.list")} className="border-t border-line">
            {rows.map((it) => (
              <li key={it.id} className="border-b border-line">
                <ClientRow
                  client={it}
                  current={it.id === open.id}
                  onOpen={() => {
                    setFresh(null);
                    go({ client: it.id }, { replace: true });
                  }}
                />
              </li>
            ))}
          </ul>
          <Button className="mt-4" disabled={readOnly} onClick={() => setAdding(true)}>
            <Plus size={14} aria-hidden />
            {t("clients.add")}
          </Button>
        </div>
        <ClientDetail
          key={open.id}
          client={open}
          token={fresh?.client.id === open.id ? fresh.token : null}
          readOnly={readOnly}
          region={region}
          onFresh={shown}
          onTokenSeen={() => {
            setFresh(null);
            region.current?.focus();
          }}
        />
      </div>
    );
  };
  return (
    <>
      <Server readOnly={readOnly} />
      <div className="pt-6">{body()}</div>
      {adding && (
        <AddDialog
          onClose={() => setAdding(false)}
          onAdd={async (name, workspaceId) => {
            const made = await writes.add(name, workspaceId);
            go({ client: made.client.id }, { replace: true });
            shown(made);
          }}
        />
      )}
    </>
  );
}

type RowProps = { client: ClientView; current: boolean; onOpen(): void };

function ClientRow({ client, current, onOpen }: RowProps) {
  const { t } = useI18n();
  const seen = useRelative(client.lastSeenAt ?? client.createdAt);
  const revoked = client.revokedAt !== null;
  return (
    <button
      type="button"
      aria-current={current ? "true" : undefined}
      onClick={onOpen}
      className={clsx(
        "focus-inset block w-full px-3 py-2.5 text-left",
        current ? "bg-accent-wash" : "hover:bg-hover",
      )}
    >
      <span className={clsx("block truncate text-ui", revoked ? "text-ink-2 line-through" : "text-ink")}>
        {client.name}
      </span>
      <span className="block truncate text-meta text-ink-2">
        {revoked
          ? t("clients.revoked")
          : client.lastSeenAt === null
            ? t("clients.never")
            : t("clients.seen", { when: seen })}
      </span>
    </button>
  );
}
