import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Command } from "cmdk";
import { ChevronDown } from "lucide-react";
import { useMemo, useState } from "react";
import { useI18n } from "../i18n/i18n";
import type { SubjectRow } from "../ipc/bindings.gen";
import { subjectsQuery } from "../ipc/queries";
import { FindList } from "./FindList";
import { Popup } from "./Popup";
import { KindIcon, useKindName } from "./SubjectKind";

/** As many as anyone looks through; letters narrow the list down. */
const MOST = 50;

/** Who most often knows something comes first where subjects are in groups. */
const FIRST = ["character", "faction", "audience"] as const;

const GROUP =
  "[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:text-ink-3";

const fold = (text: string) => text.toLocaleLowerCase();

/** Subjects whose name or alias begins with these letters, then those that hold them. */
export function found(rows: readonly SubjectRow[], text: string): SubjectRow[] {
  const wanted = fold(text.trim());
  const names = (row: SubjectRow) => [row.name, ...row.aliases].map(fold);
  const begins = (row: SubjectRow) => names(row).some((name) => name.startsWith(wanted));
  const holds = (row: SubjectRow) => names(row).some((name) => name.includes(wanted));
  return [...rows.filter(begins), ...rows.filter((row) => !begins(row) && holds(row))];
}

/** A chapter and a calendar are subjects, too, but nobody. */
export const mayKnow = ({ kind }: SubjectRow) => kind !== "chapter" && kind !== "calendar";

type Group = { kind: string | null; rows: SubjectRow[] };

/** Characters, factions, then those whom the story is for; all other kinds together. Empty groups are left out. */
export function grouped(rows: readonly SubjectRow[]): Group[] {
  const isFirst = (kind: string) => FIRST.some((it) => it === kind);
  return [
    ...FIRST.map((kind) => ({ kind, rows: rows.filter((row) => row.kind === kind) })),
    { kind: null, rows: rows.filter((row) => !isFirst(row.kind)) },
  ].filter((group) => group.rows.length > 0);
}

type SubjectPickerProps = {
  label: string;
  /** Ids of subjects that are not offered. */
  without?: readonly string[];
  /** What it shows as chosen. */
  value: { name: string } | null;
  onChange(row: SubjectRow): void;
  /** Only who may know something, in groups. */
  groups?: boolean;
  /** The words for no subject, where that is a choice, and what choosing it does. */
  none?: { label: string; choose(): void };
  disabled?: boolean;
  className?: string;
};

const NONE: readonly string[] = [];

/** Any subject, found by its name. */
export function SubjectPicker(props: SubjectPickerProps) {
  const {
    label,
    without = NONE,
    value,
    onChange,
    groups = false,
    none,
    disabled,
    className = "w-44",
  } = props;
  const { t } = useI18n();
  const kindName = useKindName();
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const { data, isPending, error, refetch } = useQuery({ ...subjectsQuery, enabled: open });
  const all = data?.rows;
  const rows = useMemo(() => {
    const left = new Set(without);
    const offered = (row: SubjectRow) => !left.has(row.id) && (!groups || mayKnow(row));
    return open ? (all?.filter(offered) ?? []) : [];
  }, [all, open, without, groups]);
  const hits = found(rows, text).slice(0, MOST);
  const face = value?.name ?? none?.label ?? label;
  const close = () => {
    setOpen(false);
    setText("");
  };
  const item = (row: SubjectRow) => (
    <Item
      key={row.id}
      value={row.id}
      onSelect={() => {
        onChange(row);
        close();
      }}
    >
      <KindIcon kind={row.kind} />
      <span className="min-w-0 flex-1 truncate">{row.name}</span>
    </Item>
  );
  return (
    <Popup
      open={open}
      onOpenChange={setOpen}
      title={label}
      over
      fit={className === "w-full"}
      trigger={
        <button
          type="button"
          disabled={disabled}
          aria-label={face === label ? label : `${label}: ${face}`}
          className={clsx(
            "flex h-8 min-w-0 items-center gap-2 rounded-md border border-line-strong bg-paper px-3 text-left text-ui text-ink disabled:opacity-60",
            className,
          )}
        >
          <span className={clsx("min-w-0 flex-1 truncate", face === label && "text-ink-3")}>{face}</span>
          <ChevronDown size={14} className="shrink-0 text-ink-3" aria-hidden />
        </button>
      }
    >
      <FindList
        find={t("relation.find")}
        label={label}
        typed={{ text, onText: setText }}
        search={{
          isEmpty: hits.length === 0,
          isPending,
          error: data ? null : error,
          refetch,
          none: t("world.noneFound"),
        }}
      >
        {none && text.trim() === "" && (
          <Item
            value="none"
            onSelect={() => {
              none.choose();
              close();
            }}
          >
            {none.label}
          </Item>
        )}
        {groups
          ? grouped(hits).map((group) => (
              <Command.Group
                key={group.kind ?? "others"}
                heading={group.kind === null ? t("lens.others") : kindName(group.kind)}
                className={GROUP}
              >
                {group.rows.map(item)}
              </Command.Group>
            ))
          : hits.map(item)}
      </FindList>
    </Popup>
  );
}

function Item({ children, ...rest }: Parameters<typeof Command.Item>[0]) {
  return (
    <Command.Item
      {...rest}
      className="flex min-h-8 items-center gap-2 rounded-sm px-2 text-ui text-ink data-[selected=true]:bg-hover"
    >
      {children}
    </Command.Item>
  );
}
