import { useQuery } from "@tanstack/react-query";
import { Copy, Ellipsis, PanelRight, Pencil } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useAction } from "../../components/actions";
import { IconButton } from "../../components/Button";
import { channelOption } from "../../components/ChannelSelect";
import { Menu, MenuItem, MenuLine } from "../../components/Menu";
import { PlaceItems } from "../../components/PlaceItems";
import { Select } from "../../components/Select";
import { useToasts } from "../../components/toast";
import { useCopy } from "../../components/useCopy";
import { WholeWindow } from "../../components/WholeWindow";
import { useI18n } from "../../i18n/i18n";
import type { ConversationView } from "../../ipc/bindings.gen";
import { channelsQuery } from "../../ipc/queries";
import { Branches } from "./Branches";
import { ModelOf } from "./ModelOf";
import { SpeakingAs } from "./SpeakingAs";
import { StatusMark, useTitle } from "./StatusMark";
import type { ConversationWrites } from "./useConversationWrites";

type HeaderProps = {
  conversation: ConversationView;
  readOnly: boolean;
  writes: ConversationWrites;
  panelOpen: boolean;
  renaming: boolean;
  /** It has a window of its own. */
  isOwn: boolean;
  onRenaming(renaming: boolean): void;
  onPanel(): void;
  onContinue(): void;
  onCompact(): void;
  onDelete(): void;
  onOpen(ref: string): void;
};

export function Header(props: HeaderProps) {
  const { conversation, readOnly, writes, panelOpen, renaming, onRenaming } = props;
  const { t } = useI18n();
  const copy = useCopy();
  const write = useAction("transfer.exportConversation");
  const title = useTitle();
  const { data: channels = [] } = useQuery(channelsQuery);
  const { refCode, status } = conversation;
  const rename = useRef<HTMLButtonElement>(null);
  return (
    <header className="border-b border-line pt-3 pr-3 pb-2 pl-8">
      <div className="flex items-center gap-1">
        {renaming ? (
          <Rename
            conversation={conversation}
            writes={writes}
            back={rename}
            onDone={() => onRenaming(false)}
          />
        ) : (
          <h2
            className="min-w-0 truncate font-serif text-[1.1875rem] leading-8 text-ink"
            title={title(conversation)}
          >
            {title(conversation)}
          </h2>
        )}
        {!readOnly && !renaming && (
          <IconButton ref={rename} label={t("conversation.rename")} onClick={() => onRenaming(true)}>
            <Pencil size={14} aria-hidden />
          </IconButton>
        )}
        <span className="ml-auto" />
        <Menu
          align="end"
          trigger={
            <IconButton label={t("action.more")}>
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          }
        >
          {status === "active" ? (
            <MenuItem disabled={readOnly} onSelect={() => void writes.idle(refCode)}>
              {t("conversation.end")}
            </MenuItem>
          ) : (
            <MenuItem disabled={readOnly} onSelect={props.onContinue}>
              {t("conversation.continue")}
            </MenuItem>
          )}
          {status !== "archived" && (
            <MenuItem disabled={readOnly} onSelect={() => void writes.archive(refCode)}>
              {t("conversation.archive")}
            </MenuItem>
          )}
          <MenuItem disabled={readOnly} onSelect={props.onCompact}>
            {t("conversation.compact")}
          </MenuItem>
          <PlaceItems
            to={{ to: "/conversations/$ref", params: { ref: refCode }, search: { own: true } }}
            target="conversation"
            value={refCode}
          />
          <MenuItem onSelect={() => copy(refCode)}>{t("conversation.copyRef")}</MenuItem>
          <MenuItem disabled={!write} onSelect={() => write?.run()}>
            {t("transfer.exportConversation")}
          </MenuItem>
          <MenuLine />
          <MenuItem danger disabled={readOnly} onSelect={props.onDelete}>
            {t("conversation.delete")}
          </MenuItem>
        </Menu>
        <IconButton
          label={t("conversation.panel")}
          shortcut="conversation.panel"
          aria-pressed={panelOpen}
          onClick={props.onPanel}
        >
          <PanelRight size={16} aria-hidden />
        </IconButton>
        {props.isOwn && <WholeWindow />}
      </div>
      <div className="-ml-2 flex min-h-8 flex-wrap items-center gap-x-2">
        <Select
          ghost
          label={t("conversation.channel")}
          value={conversation.channelId}
          disabled={readOnly}
          onChange={(id) => {
            const name = channels.find((it) => it.id === id)?.name ?? "";
            if (id !== conversation.channelId) void writes.move(refCode, id, name);
          }}
          options={channels
            .filter((it) => it.archivedAt === null || it.id === conversation.channelId)
            .map(channelOption)}
        />
        <StatusMark status={status} />
        <span aria-hidden className="text-meta text-ink-3">
          ·
        </span>
        <button
          type="button"
          title={t("conversation.copyRef")}
          aria-label={t("conversation.copyRefOf", { ref: refCode })}
          onClick={() => copy(refCode)}
          className="tabular inline-flex min-h-6 items-center gap-1 rounded-sm px-1 text-meta text-ink-3 hover:text-ink"
        >
          {refCode}
          <Copy size={11} aria-hidden />
        </button>
        <ModelOf conversation={conversation} readOnly={readOnly} writes={writes} />
        <SpeakingAs conversation={conversation} readOnly={readOnly} writes={writes} />
        <Branches conversation={conversation} onOpen={props.onOpen} />
      </div>
    </header>
  );
}

type RenameProps = {
  conversation: ConversationView;
  writes: ConversationWrites;
  back: RefObject<HTMLButtonElement | null>;
  onDone(): void;
};

/** The title as a field, in its own place. */
function Rename({ conversation, writes, back, onDone }: RenameProps) {
  const { t } = useI18n();
  const { failed } = useToasts();
  const [text, setText] = useState(conversation.title);
  const input = useRef<HTMLInputElement>(null);
  const over = useRef(false);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const finish = async (keep: boolean) => {
    if (over.current) return;
    over.current = true;
    const title = text.trim();
    if (keep && title !== conversation.title) {
      try {
        await writes.rename(conversation.refCode, title);
      } catch (error) {
        failed(error);
      }
    }
    onDone();
    requestAnimationFrame(() => back.current?.focus());
  };
  return (
    <input
      ref={input}
      value={text}
      maxLength={200}
      aria-label={t("conversation.title")}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => void finish(true)}
      onKeyDown={(event) => {
        if (event.key === "Enter") void finish(true);
        else if (event.key === "Escape") void finish(false);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
      className="-ml-2 h-8 min-w-0 flex-1 rounded-sm border border-line-strong bg-raised px-2 font-serif text-[1.1875rem] leading-7 text-ink"
    />
  );
}
