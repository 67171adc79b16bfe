import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Ellipsis, Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { type Action, useActions } from "../../components/actions";
import { Button, IconButton } from "../../components/Button";
import { DocumentPage } from "../../components/DocumentPage";
import { Menu, MenuItem, MenuLine } from "../../components/Menu";
import { Empty, Failed } from "../../components/States";
import { TierIcon } from "../../components/Tier";
import { useI18n } from "../../i18n/i18n";
import type { ChannelView } from "../../ipc/bindings.gen";
import { channelsQuery, statusQuery } from "../../ipc/queries";
import { ChannelDialog, DeleteDialog } from "./Dialogs";
import { useChannelWrites } from "./useChannelWrites";

type Open = { what: "create" } | { what: "edit" | "delete"; channel: ChannelView } | null;

export function ChannelsPage() {
  const { t, compare } = useI18n();
  const channels = useQuery(channelsQuery);
  const readOnly = useQuery(statusQuery).data?.readOnly ?? false;
  const [open, setOpen] = useState<Open>(null);
  const writes = useChannelWrites();
  useActions(
    useMemo(
      (): Action[] => [
        {
          id: "channel.new",
          group: "workspace",
          label: t("channels.new"),
          enabled: !readOnly,
          run: () => setOpen({ what: "create" }),
        },
      ],
      [t, readOnly],
    ),
  );
  const all = channels.data ?? [];
  // The one that is always there stands first, the others by name.
  const sorted = [...all].sort(
    (a, b) => Number(b.isDefault) - Number(a.isDefault) || compare(a.name, b.name),
  );
  const row = (channel: ChannelView) => (
    <Channel
      key={channel.id}
      channel={channel}
      readOnly={readOnly}
      onEdit={() => setOpen({ what: "edit", channel })}
      onDelete={() => setOpen({ what: "delete", channel })}
      onArchive={() => void writes.archive(channel)}
      onRestore={() => void writes.restore(channel)}
    />
  );
  const current = sorted.filter((it) => it.archivedAt === null);
  const archived = sorted.filter((it) => it.archivedAt !== null);
  return (
    <DocumentPage
      title={t("channels.title")}
      intro={t("channels.body")}
      action={
        <Button
          look="primary"
          className="h-9"
          disabled={readOnly}
          onClick={() => setOpen({ what: "create" })}
        >
          <Plus size={16} aria-hidden />
          {t("channels.new")}
        </Button>
      }
    >
      <div className="mt-8">
        {channels.error && !channels.data ? (
          <Failed error={channels.error} onRetry={() => void channels.refetch()} />
        ) : channels.isPending ? (
          <div role="status" aria-label={t("state.loading")} className="space-y-4">
            {[0, 1, 2].map((i) => (
              <div key={i} className="skeleton h-16 w-full" />
            ))}
          </div>
        ) : (
          <>
            <ul aria-label={t("channels.list")} className="border-t border-line">
              {current.map(row)}
            </ul>
            {all.length === 1 && (
              <Empty title={t("channels.only.title")} body={t("channels.only.body")}>
                <Button disabled={readOnly} onClick={() => setOpen({ what: "create" })}>
                  {t("channels.new")}
                </Button>
              </Empty>
            )}
            {archived.length > 0 && (
              <section aria-labelledby="archived-channels" className="mt-10">
                <h2 id="archived-channels" className="mb-2 text-meta font-strong text-ink-3">
                  {t("channels.archived")}
                </h2>
                <ul aria-labelledby="archived-channels" className="border-t border-line">
                  {archived.map(row)}
                </ul>
              </section>
            )}
          </>
        )}
      </div>
      {(open?.what === "create" || open?.what === "edit") && (
        <ChannelDialog
          channel={open.what === "edit" ? open.channel : null}
          onClose={() => setOpen(null)}
          onSave={(name, description) =>
            open.what === "edit"
              ? writes.update(open.channel, name, description)
              : writes.create(name, description)
          }
        />
      )}
      {open?.what === "delete" && (
        <DeleteDialog
          channel={all.find((it) => it.id === open.channel.id) ?? open.channel}
          others={current.filter((it) => it.id !== open.channel.id)}
          onClose={() => setOpen(null)}
          onDelete={(moveTo) => writes.remove(open.channel, moveTo)}
        />
      )}
    </DocumentPage>
  );
}

type ChannelProps = {
  channel: ChannelView;
  readOnly: boolean;
  onEdit(): void;
  onDelete(): void;
  onArchive(): void;
  onRestore(): void;
};

const LINK = "inline-flex min-h-6 items-center rounded-sm text-ink-2 hover:text-accent hover:underline";

function Channel({ channel, readOnly, onEdit, onDelete, onArchive, onRestore }: ChannelProps) {
  const { t } = useI18n();
  const { id, name, description, isDefault, conversations, archivedConversations, memories } = channel;
  const gone = channel.archivedAt !== null;
  return (
    <li className="flex items-start gap-3 border-b border-line py-4">
      <TierIcon scope="channel" size={16} className="mt-1" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <h2 className={`text-lead wrap-anywhere ${gone ? "text-ink-2" : "text-ink"}`}>{name}</h2>
          {isDefault && <p className="text-meta text-ink-3">{t("channels.always")}</p>}
        </div>
        <p
          className={`text-ui text-pretty wrap-anywhere ${description ? "text-ink-2" : "text-ink-3 italic"}`}
        >
          {description || t("channels.noDescription")}
        </p>
        <p className="tabular mt-1 flex flex-wrap items-center gap-x-2 text-meta text-ink-3">
          <Link to="/conversations" search={{ channel: id }} className={LINK}>
            {t("channels.conversations", { count: conversations })}
          </Link>
          {archivedConversations > 0 && (
            <Link to="/conversations" search={{ channel: id, status: ["archived"] }} className={LINK}>
              {t("channels.archivedToo", { count: archivedConversations })}
            </Link>
          )}
          <span aria-hidden>·</span>
          <Link to="/memory" search={{ scope: "channel", channel: id }} className={LINK}>
            {t("channels.memories", { count: memories })}
          </Link>
        </p>
      </div>
      <Menu
        align="end"
        trigger={
          <IconButton label={t("channels.actions", { name })} disabled={readOnly}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={onEdit}>{t("channels.edit")}</MenuItem>
        {!isDefault && (
          <>
            <MenuItem onSelect={gone ? onRestore : onArchive}>
              {t(gone ? "channels.restore" : "channels.archive")}
            </MenuItem>
            <MenuLine />
            <MenuItem danger onSelect={onDelete}>
              {t("channels.delete")}
            </MenuItem>
          </>
        )}
      </Menu>
    </li>
  );
}
