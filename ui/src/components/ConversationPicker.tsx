import { Command } from "cmdk";
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { useI18n } from "../i18n/i18n";
import type { ConversationView } from "../ipc/bindings.gen";
import { FindList } from "./FindList";
import { matchName } from "./match";
import { Popup } from "./Popup";
import { TierIcon } from "./Tier";
import { useFindConversations } from "./useFindConversations";

export type Picked = { id: string; title: string };

/** One conversation out of many, found by a few letters of its title, channel or reference code. */
export function ConversationPicker({
  value,
  onChange,
}: {
  value: Picked | null;
  onChange(picked: Picked): void;
}) {
  const { t } = useI18n();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const { rows = [], waits, error, refetch } = useFindConversations(typed, open);
  const titleOf = (it: ConversationView) => it.title || t("pick.untitled");
  const found = rows.filter((it) => {
    return (
      typed.trim() === "" || matchName(`${titleOf(it)} #${it.channelName} ${it.refCode}`, typed) !== null
    );
  });
  return (
    <Popup
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setTyped("");
      }}
      title={t("pick.conversation")}
      trigger={
        <button
          type="button"
          aria-label={value ? `${t("pick.conversation")}: ${value.title}` : t("pick.conversation")}
          className="inline-flex h-8 max-w-80 items-center gap-2 rounded-md border border-line-strong bg-paper px-3 text-ui text-ink"
        >
          <TierIcon scope="conversation" />
          <span className="truncate">{value?.title ?? t("action.choose")}</span>
          <ChevronDown size={14} className="text-ink-3" aria-hidden />
        </button>
      }
    >
      <FindList
        find={t("pick.find")}
        label={t("pick.conversation")}
        typed={{ text: typed, onText: setTyped }}
        busy={waits}
        search={{ isEmpty: found.length === 0, isPending: waits, error, refetch, none: t("pick.findNone") }}
      >
        {found.map((it) => (
          <Command.Item
            key={it.id}
            value={it.id}
            onSelect={() => {
              onChange({ id: it.id, title: titleOf(it) });
              setOpen(false);
            }}
            className="rounded-sm px-2 py-1.5 text-ui text-ink data-[selected=true]:bg-hover"
          >
            <span className="block truncate">{titleOf(it)}</span>
            <span className="block truncate text-meta text-ink-2">
              #{it.channelName} · {it.refCode}
            </span>
          </Command.Item>
        ))}
      </FindList>
    </Popup>
  );
}
