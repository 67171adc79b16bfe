import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Ellipsis, Plus } from "lucide-react";
import type { RefObject } from "react";
import { Button, IconButton } from "../../../components/Button";
import { channelOption } from "../../../components/ChannelSelect";
import { FoundMessage } from "../../../components/FoundMessage";
import { foundBy } from "../../../components/foundBy";
import { useAddressed, useSettled } from "../../../components/hooks";
import { Menu, MenuItem } from "../../../components/Menu";
import { Rows } from "../../../components/Rows";
import { SearchField } from "../../../components/SearchField";
import { Select } from "../../../components/Select";
import { Empty, Failed } from "../../../components/States";
import { Time } from "../../../components/Time";
import { useI18n } from "../../../i18n/i18n";
import type { ConversationView, MessageHit } from "../../../ipc/bindings.gen";
import { channelsQuery, messageSearchQuery } from "../../../ipc/queries";
import { rem } from "../../../preferences/zoom";
import { StatusMark, useTitle } from "../StatusMark";
import { STATUSES, USUAL, useView } from "../view";
import { useConversations } from "./useConversations";

const ROW = 64;
const HIT = 96;
const HITS = 100;

type ListPaneProps = {
  readOnly: boolean;
  input: RefObject<HTMLInputElement | null>;
  box: RefObject<HTMLDivElement | null>;
  onNew(): void;
  onImport(): void;
  onOpen(ref: string, at: number | undefined, how: "press" | "enter"): void;
};

/** Conversations by channel and status, or everything said that matches a search. */
export function ListPane({ readOnly, input, box, onNew, onImport, onOpen }: ListPaneProps) {
  const { t } = useI18n();
  const title = useTitle();
  const { view, ref, statuses, go } = useView();
  const { data: channels = [] } = useQuery(channelsQuery);
  const list = useConversations(view.channel ?? null, statuses);
  const { rows } = list;

  const [text, setText] = useAddressed(view.q ?? "", (typed) =>
    go({ q: typed === "" ? undefined : typed }, { replace: true }),
  );

  const query = useSettled(text.trim(), text === "" ? 0 : 60);
  const archived = statuses.includes("archived");
  const search = useQuery(
    messageSearchQuery({
      query,
      conversation: null,
      channelId: view.channel ?? null,
      archived,
      limit: HITS,
      strategy: null,
    }),
  );
  const searching = query !== "";
  const hits = searching ? (search.data?.hits ?? []) : [];
  const parts = hits.map((hit) => hit.parts);
  const found = searching && search.data ? foundBy(search.data.mode, parts) : null;
  const setStatus = (status: (typeof STATUSES)[number]) => {
    const next = STATUSES.filter((it) => (it === status ? !statuses.includes(it) : statuses.includes(it)));
    if (next.length > 0) go({ status: String(next) === String(USUAL) ? undefined : next });
  };
  const hitKey = (hit: MessageHit) => hit.message.id;
  const openHit = hits.find((hit) => hit.conversation.refCode === ref && hit.message.position === view.at);

  const body = () => {
    if (searching) {
      if (search.error && !search.data)
        return <Failed error={search.error} onRetry={() => void search.refetch()} />;
      if (!search.data) return <Loading />;
      if (hits.length === 0)
        return (
          <Empty
            title={t("conversation.search.none")}
            body={t(archived ? "conversation.search.noneBody" : "conversation.search.noneArchived")}
          >
            {view.channel !== undefined && (
              <Button onClick={() => go({ channel: undefined })}>{t("conversation.channels.all")}</Button>
            )}
            {!archived && (
              <Button onClick={() => setStatus("archived")}>{t("conversation.search.archived")}</Button>
            )}
          </Empty>
        );
      return (
        <Rows
          label={t("conversation.search.list")}
          items={hits}
          height={HIT}
          keyOf={hitKey}
          chosen={openHit && hitKey(openHit)}
          box={box}
          onOpen={(hit, how) => onOpen(hit.conversation.refCode, hit.message.position, how)}
        >
          {(hit) => <FoundMessage hit={hit} className="mt-1" />}
        </Rows>
      );
    }
    if (list.error && rows.length === 0)
      return <Failed error={list.error} onRetry={() => void list.refetch()} />;
    if (list.isPending) return <Loading />;
    if (rows.length === 0)
      return <Nothing readOnly={readOnly} filtered={view.channel !== undefined} onNew={onNew} />;
    return (
      <Rows
        label={t("conversation.list")}
        items={rows}
        height={ROW}
        keyOf={(row) => row.refCode}
        chosen={ref}
        box={box}
        onOpen={(row, how) => onOpen(row.refCode, undefined, how)}
        more={list.more}
      >
        {(row) => <Conversation row={row} title={title(row)} channel={view.channel === undefined} />}
      </Rows>
    );
  };

  return (
    <div className="flex w-[clamp(15.5rem,24%,21.25rem)] narrow:w-60 shrink-0 flex-col border-r border-line">
      <div className="flex items-center gap-1 pt-3 pr-2 pb-2 pl-4">
        <SearchField
          shortcut="conversation.search"
          input={input}
          label={t("conversation.search")}
          placeholder={t("conversation.search.placeholder")}
          value={text}
          onChange={setText}
          onLeave={() => box.current?.focus()}
          onEnter={() => {
            const [best] = hits;
            if (best) onOpen(best.conversation.refCode, best.message.position, "enter");
          }}
        />
        <IconButton
          label={t("conversation.new")}
          shortcut="conversation.new"
          disabled={readOnly}
          onClick={onNew}
        >
          <Plus size={16} aria-hidden />
        </IconButton>
        <Menu
          align="end"
          trigger={
            <IconButton label={t("action.more")} className="-ml-1">
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          }
        >
          <MenuItem disabled={readOnly} onSelect={onNew}>
            {t("conversation.new")}
          </MenuItem>
          <MenuItem disabled={readOnly} onSelect={onImport}>
            {t("conversation.import")}
          </MenuItem>
        </Menu>
      </div>
      <div className="border-b border-line px-2 pb-2">
        <Select
          ghost
          label={t("conversation.channel")}
          value={view.channel ?? ""}
          onChange={(id) => go({ channel: id === "" ? undefined : id })}
          options={[
            { value: "", label: t("conversation.channels.all") },
            ...channels.filter((it) => it.archivedAt === null || it.id === view.channel).map(channelOption),
          ]}
        />
        <fieldset className="flex flex-wrap gap-1 px-2">
          <legend className="sr-only">{t("conversation.status")}</legend>
          {STATUSES.map((status) => (
            <button
              key={status}
              type="button"
              aria-pressed={statuses.includes(status)}
              onClick={() => setStatus(status)}
              className={clsx(
                "fc-border h-6 rounded-sm px-2 text-meta",
                statuses.includes(status)
                  ? "bg-accent-wash text-ink"
                  : "text-ink-2 hover:bg-hover hover:text-ink",
              )}
            >
              {t(`conversation.status.${status}`)}
            </button>
          ))}
        </fieldset>
      </div>
      {found !== null && (
        <p
          aria-live="polite"
          className="tabular flex h-8 shrink-0 items-center border-b border-line px-4 text-meta text-ink-3"
        >
          <span className="truncate" title={search.data?.modeReason ?? undefined}>
            {t("conversation.search.count", { count: hits.length })} · {t(`search.mode.${found}`)}
          </span>
        </p>
      )}
      {body()}
    </div>
  );
}

function Conversation({ row, title, channel }: { row: ConversationView; title: string; channel: boolean }) {
  return (
    <>
      <p
        className={clsx(
          "truncate font-serif text-snippet",
          row.title === "" ? "text-ink-2 italic" : "text-ink",
        )}
      >
        {title}
      </p>
      <p className="flex items-center gap-2 text-meta whitespace-nowrap text-ink-3">
        {channel && (
          <>
            <span className="min-w-0 truncate">#{row.channelName}</span>
            <span aria-hidden>·</span>
          </>
        )}
        <Time iso={row.activeAt} className="shrink-0" />
        <StatusMark status={row.status} brief className="ml-auto" />
      </p>
    </>
  );
}

function Nothing({ readOnly, filtered, onNew }: { readOnly: boolean; filtered: boolean; onNew(): void }) {
  const { t } = useI18n();
  return (
    <Empty
      title={t("conversation.none.title")}
      body={t(filtered ? "conversation.none.filtered" : "conversation.none.body")}
    >
      <Button disabled={readOnly} onClick={onNew}>
        {t("conversation.new")}
      </Button>
    </Empty>
  );
}

const PLACEHOLDERS = Array.from({ length: 10 }, (_, i) => i);

function Loading() {
  const { t } = useI18n();
  return (
    <div role="status" aria-label={t("state.loading")} className="min-h-0 flex-1 overflow-hidden">
      {PLACEHOLDERS.map((i) => (
        <div key={i} style={{ height: rem(ROW) }} className="space-y-2 border-b border-line px-4 py-3">
          <div className="skeleton h-4 w-4/5" />
          <div className="skeleton h-3 w-1/2" />
        </div>
      ))}
    </div>
  );
}
