import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { Popup } from "../../../components/Popup";
import { KindIcon } from "../../../components/SubjectKind";
import { useI18n } from "../../../i18n/i18n";
import type { SubjectRow } from "../../../ipc/bindings.gen";
import { subjectsQuery } from "../../../ipc/queries";

/** As many as anyone looks through; letters narrow the list down. */
const MOST = 50;

const fold = (text: string) => text.toLocaleLowerCase();

/** Subjects whose name or alias begins with these letters, then those that hold them. */
export function found(rows: readonly SubjectRow[], text: string): SubjectRow[] {
  const wanted = fold(text.trim());
  const names = (row: SubjectRow) => [row.name, ...row.aliases].map(fold);
  const begins = (row: SubjectRow) => names(row).some((name) => name.startsWith(wanted));
  const holds = (row: SubjectRow) => names(row).some((name) => name.includes(wanted));
  return [...rows.filter(begins), ...rows.filter((row) => !begins(row) && holds(row))];
}

type SubjectPickerProps = {
  label: string;
  /** The id of a subject that is not offered. */
  without: string;
  value: SubjectRow | null;
  onChange(row: SubjectRow): void;
};

/** Any other subject, found by its name. */
export function SubjectPicker({ label, without, value, onChange }: SubjectPickerProps) {
  const { t } = useI18n();
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const rows = useQuery(subjectsQuery).data?.rows.filter((row) => row.id !== without) ?? [];
  const hits = found(rows, text).slice(0, MOST);
  return (
    <Popup
      open={open}
      onOpenChange={setOpen}
      title={label}
      trigger={
        <button
          type="button"
          aria-label={value ? `${label}: ${value.name}` : label}
          className="flex h-8 w-44 min-w-0 items-center gap-2 rounded-md border border-line-strong bg-paper px-3 text-left text-ui text-ink"
        >
          <span className={value ? "min-w-0 flex-1 truncate" : "min-w-0 flex-1 truncate text-ink-3"}>
            {value?.name ?? label}
          </span>
          <ChevronDown size={14} className="shrink-0 text-ink-3" aria-hidden />
        </button>
      }
    >
      <Command label={t("relation.find")} shouldFilter={false} loop>
        <Command.Input
          autoFocus
          value={text}
          onValueChange={setText}
          placeholder={t("relation.find")}
          className="mb-2 h-8 w-full rounded-md border border-line-strong bg-paper px-3 text-ui text-ink placeholder:text-ink-3"
        />
        <Command.List label={label} className="max-h-72 overflow-y-auto">
          {hits.map((row) => (
            <Command.Item
              key={row.id}
              value={row.id}
              onSelect={() => {
                onChange(row);
                setOpen(false);
                setText("");
              }}
              className="flex items-center gap-2 rounded-sm px-2 py-1.5 text-ui text-ink data-[selected=true]:bg-hover"
            >
              <KindIcon kind={row.kind} />
              <span className="min-w-0 flex-1 truncate">{row.name}</span>
            </Command.Item>
          ))}
          {hits.length === 0 && (
            <p className="px-2 py-6 text-center text-ui text-ink-2">{t("world.noneFound")}</p>
          )}
        </Command.List>
      </Command>
    </Popup>
  );
}
