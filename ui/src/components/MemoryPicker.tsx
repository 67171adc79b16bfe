import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { ChevronDown } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useI18n } from "../i18n/i18n";
import type { FactView, MemoryFilter, MemoryRow, PageRow } from "../ipc/bindings.gen";
import { allFactsQuery, pagesFoundQuery, searchQuery } from "../ipc/queries";
import { FindList } from "./FindList";
import { useSettled } from "./hooks";
import { Popup } from "./Popup";
import { plain } from "./plain";
import { TierIcon } from "./Tier";
import { visible } from "./visible";

/** Forgotten ones and those of every channel and conversation included. */
const ANY: MemoryFilter = {
  scope: null,
  channelId: null,
  conversationId: null,
  terms: [{ facet: "forgotten", value: "any", negated: false }],
  lens: null,
};

const SETTLE = 150;

/** The first words of a memory. */
export const textOf = (row: MemoryRow) => plain(row.preview, [], row.name ?? row.title).text;

/** A fact on one line. */
export const factText = ({ key, value }: Pick<FactView, "key" | "value">) => `${key}: ${value}`;

/** As many facts as stand under the memories. */
const MOST_FACTS = 10;

const GROUP =
  "[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:text-ink-3";

/** The facts that have all of these words. */
function factsWith(facts: readonly FactView[], text: string): FactView[] {
  const wanted = text.toLocaleLowerCase().split(/\s+/);
  const words = (fact: FactView) => `${fact.category} ${factText(fact)}`.toLocaleLowerCase();
  return facts.filter((fact) => wanted.every((word) => words(fact).includes(word))).slice(0, MOST_FACTS);
}

type MemoryPickerProps = {
  value: MemoryRow | null;
  onChange(row: MemoryRow): void;
  /** Facts are offered, too. */
  onFact?: (fact: FactView) => void;
  /** Pages are offered, too. */
  onPage?: (page: PageRow) => void;
  /** What is chosen, if it is no memory. */
  chosen?: string;
  /** Ids of what is not offered. */
  without?: readonly string[];
  /** What it asks for, if it is not one memory. */
  label?: string;
  /** It stands in a dialog. */
  over?: boolean;
};

/** Any one memory, found by some of its words; where they are asked for, any one fact or page, too. */
export function MemoryPicker({
  value,
  onChange,
  onFact,
  onPage,
  chosen,
  without = [],
  label,
  over,
}: MemoryPickerProps) {
  const { t } = useI18n();
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const settled = useSettled(text.trim(), SETTLE);
  const ofMemories = useQuery({ ...searchQuery(settled, ANY), enabled: open && settled !== "" });
  const ofFacts = useQuery({ ...allFactsQuery, enabled: open && onFact !== undefined });
  const ofPages = useQuery({
    ...pagesFoundQuery(settled),
    enabled: open && onPage !== undefined && settled !== "",
  });
  const reads = [ofMemories, ...(onFact ? [ofFacts] : []), ...(onPage ? [ofPages] : [])];
  const failed = reads.find((it) => it.error && it.data === undefined);
  const { data } = ofMemories;
  const { data: all = [] } = ofFacts;
  const { data: found = [] } = ofPages;
  const isOffered = ({ id }: { id: string }) => !without.includes(id);
  const hits = settled === "" ? [] : (data?.hits.filter(({ row }) => isOffered(row)) ?? []);
  const facts = settled === "" || !onFact ? [] : factsWith(all.filter(isOffered), settled);
  const pages = settled === "" || !onPage ? [] : found;
  const isAny = onFact !== undefined || onPage !== undefined;
  const find = t(isAny ? "pick.findAny" : "pick.findMemory");
  const current = value ? textOf(value) : chosen;
  const title = label ?? t("pick.memory");
  const close = () => {
    setOpen(false);
    setText("");
  };
  return (
    <Popup
      open={open}
      onOpenChange={setOpen}
      title={title}
      over={over}
      fit={over}
      trigger={
        <button
          type="button"
          aria-label={current === undefined ? title : `${title}: ${current}`}
          className="flex h-8 w-full min-w-0 items-center gap-2 rounded-md border border-line-strong bg-paper px-3 text-left text-ui text-ink"
        >
          <span className="min-w-0 flex-1 truncate">{current ?? label ?? t("action.choose")}</span>
          <ChevronDown size={14} className="shrink-0 text-ink-3" aria-hidden />
        </button>
      }
    >
      <FindList
        find={find}
        label={title}
        typed={{ text, onText: setText }}
        busy={ofMemories.isFetching}
        search={
          settled === ""
            ? null
            : {
                isEmpty: hits.length + facts.length + pages.length === 0,
                isPending: reads.some((it) => it.isPending),
                error: failed?.error ?? null,
                refetch: () => failed?.refetch(),
                none: t(isAny ? "pick.findAnyNone" : "pick.findMemoryNone"),
              }
        }
      >
        {hits.map(({ row }) => (
          <Found
            key={row.id}
            id={row.id}
            onSelect={() => {
              onChange(row);
              close();
            }}
          >
            <TierIcon scope={row.scope} className="mt-0.5 shrink-0" />
            <span className="sr-only">{t(`tier.${row.scope}`)}: </span>
            <span className="line-clamp-2 min-w-0 wrap-anywhere">{textOf(row)}</span>
          </Found>
        ))}
        {facts.length > 0 && (
          <Command.Group heading={t("ledger.layer.facts")} className={GROUP}>
            {facts.map((fact) => (
              <Found
                key={fact.id}
                id={fact.id}
                onSelect={() => {
                  onFact?.(fact);
                  close();
                }}
              >
                <span className="line-clamp-2 min-w-0 wrap-anywhere">{factText(fact)}</span>
              </Found>
            ))}
          </Command.Group>
        )}
        {pages.length > 0 && (
          <Command.Group heading={t("ledger.layer.pages")} className={GROUP}>
            {pages.map(({ page }) => (
              <Found
                key={page.id}
                id={page.id}
                onSelect={() => {
                  onPage?.(page);
                  close();
                }}
              >
                <span className="line-clamp-2 min-w-0 wrap-anywhere">{visible(page.title)}</span>
              </Found>
            ))}
          </Command.Group>
        )}
      </FindList>
    </Popup>
  );
}

function Found({ id, onSelect, children }: { id: string; onSelect(): void; children: ReactNode }) {
  return (
    <Command.Item
      value={id}
      onSelect={onSelect}
      className="flex gap-2 rounded-sm px-2 py-1.5 text-ui text-ink data-[selected=true]:bg-hover"
    >
      {children}
    </Command.Item>
  );
}
