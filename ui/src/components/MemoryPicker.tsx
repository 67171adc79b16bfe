import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { useI18n } from "../i18n/i18n";
import type { MemoryFilter, MemoryRow } from "../ipc/bindings.gen";
import { searchQuery } from "../ipc/queries";
import { useSettled } from "./hooks";
import { Popup } from "./Popup";
import { plain } from "./plain";
import { TierIcon } from "./Tier";

/** Forgotten ones and those of every channel and conversation included. */
const ANY: MemoryFilter = {
  scope: null,
  channelId: null,
  conversationId: null,
  terms: [{ facet: "forgotten", value: "any", negated: false }],
  lens: null,
};

const SETTLE = 150;

const textOf = (row: MemoryRow) => plain(row.preview, [], row.name ?? row.title).text;

/** Any one memory, found by some of its words. */
export function MemoryPicker({
  value,
  onChange,
}: {
  value: MemoryRow | null;
  onChange(row: MemoryRow): void;
}) {
  const { t } = useI18n();
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const settled = useSettled(text.trim(), SETTLE);
  const { data, isFetching } = useQuery({ ...searchQuery(settled, ANY), enabled: open && settled !== "" });
  const hits = settled === "" ? [] : (data?.hits ?? []);
  return (
    <Popup
      open={open}
      onOpenChange={setOpen}
      title={t("pick.memory")}
      trigger={
        <button
          type="button"
          aria-label={value ? `${t("pick.memory")}: ${textOf(value)}` : t("pick.memory")}
          className="flex h-8 w-full min-w-0 items-center gap-2 rounded-md border border-line-strong bg-paper px-3 text-left text-ui text-ink"
        >
          <span className="min-w-0 flex-1 truncate">{value ? textOf(value) : t("action.choose")}</span>
          <ChevronDown size={14} className="shrink-0 text-ink-3" aria-hidden />
        </button>
      }
    >
      <Command label={t("pick.findMemory")} shouldFilter={false} loop>
        <Command.Input
          autoFocus
          value={text}
          onValueChange={setText}
          placeholder={t("pick.findMemory")}
          className="mb-2 h-8 w-full rounded-md border border-line-strong bg-paper px-3 text-ui text-ink placeholder:text-ink-3"
        />
        <Command.List label={t("pick.memory")} aria-busy={isFetching} className="max-h-72 overflow-y-auto">
          {hits.map(({ row }) => (
            <Command.Item
              key={row.id}
              value={row.id}
              onSelect={() => {
                onChange(row);
                setOpen(false);
              }}
              className="flex gap-2 rounded-sm px-2 py-1.5 text-ui text-ink data-[selected=true]:bg-hover"
            >
              <TierIcon scope={row.scope} className="mt-0.5 shrink-0" />
              <span className="sr-only">{t(`tier.${row.scope}`)}: </span>
              <span className="line-clamp-2 min-w-0 wrap-anywhere">{textOf(row)}</span>
            </Command.Item>
          ))}
          {settled !== "" && data !== undefined && hits.length === 0 && (
            <p className="px-2 py-6 text-center text-ui text-ink-2">{t("pick.findMemoryNone")}</p>
          )}
        </Command.List>
      </Command>
    </Popup>
  );
}
