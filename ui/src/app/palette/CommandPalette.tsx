import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { Command, defaultFilter } from "cmdk";
import { useRef, useState } from "react";
import { type Action, type ActionGroup, useAllActions } from "../../components/actions";
import { useSettled } from "../../components/hooks";
import { Keys } from "../../components/Keys";
import { Tabs } from "../../components/Tabs";
import { useI18n } from "../../i18n/i18n";
import type { DocumentKind } from "../../ipc/bindings.gen";
import { documentsQuery } from "../../ipc/queries";
import { DocumentItem, documentKey, useOpenDocument } from "./DocumentItem";

const GROUPS: readonly ActionGroup[] = [
  "memory",
  "conversation",
  "named",
  "world",
  "pages",
  "activity",
  "go",
  "view",
  "transfer",
  "workspace",
  "control",
  "settings",
];

const TABS = ["all", "memory", "message", "page", "action"] as const;
type Tab = (typeof TABS)[number];

/** Actions that stand above documents, and how well their names must match for it: as a word or its beginning. */
const FEW = 4;
const WELL = 0.5;

/** The documents of a tab; of every kind if none is named. */
const KINDS: Record<Tab, DocumentKind[]> = {
  all: [],
  memory: ["memory"],
  message: ["message"],
  page: ["page"],
  action: [],
};

const GROUP =
  "pb-1 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:text-ink-3";

/** One field that finds memories, messages, pages and every action that can be taken now. */
export function CommandPalette({ onClose }: { onClose(): void }) {
  const { t } = useI18n();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [tab, setTab] = useState<Tab>("all");
  const typed = text.trim();
  const query = useSettled(typed, typed === "" ? 0 : 80);
  const asks = typed !== "" && tab !== "action";
  const search = useQuery({
    ...documentsQuery(query, KINDS[tab]),
    enabled: asks && query !== "",
  });
  const hits = asks ? (search.data?.hits ?? []) : [];
  const waits = asks && (query !== typed || search.isFetching);
  const openDocument = useOpenDocument();
  const groups = useGroups(typed, tab);

  // What Enter takes: the chosen one as long as it is listed, else the first. It begins anew with each letter.
  const [chosen, setChosen] = useState<string>();
  const values = [...groups.flatMap(({ actions }) => actions.map(({ id }) => id)), ...hits.map(documentKey)];
  const value = chosen !== undefined && values.includes(chosen) ? chosen : (values[0] ?? "");

  const run = (act: () => void) => {
    onClose();
    // After the dialog has given the focus back, so that the action may place it elsewhere.
    setTimeout(act, 0);
  };

  return (
    <Dialog.Root open onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup
          initialFocus={input}
          className="appear fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-32px)] max-w-[640px] -translate-x-1/2 overflow-hidden rounded-md border border-line bg-raised shadow-pop outline-none"
        >
          <Dialog.Title className="sr-only">{t("palette.title")}</Dialog.Title>
          <Command
            label={t("palette.title")}
            loop
            shouldFilter={false}
            value={value}
            onValueChange={setChosen}
          >
            <Command.Input
              ref={input}
              value={text}
              onValueChange={(next) => {
                setText(next);
                setChosen(undefined);
              }}
              maxLength={10_000}
              placeholder={t("palette.placeholder")}
              className="h-12 w-full bg-transparent px-4 text-[15px] text-ink outline-none placeholder:text-ink-3"
            />
            <div className="border-b border-line px-2">
              <Tabs
                label={t("palette.kinds")}
                panel="palette-found"
                tabs={TABS}
                value={tab}
                onChange={(next) => {
                  setTab(next);
                  input.current?.focus();
                }}
              >
                {(it) => t(`palette.kind.${it}`)}
              </Tabs>
            </div>
            <div id="palette-found" role="tabpanel" aria-labelledby={`palette-found-${tab}`}>
              <Command.List
                className="max-h-[min(480px,60vh)] overflow-y-auto p-2"
                label={t("palette.title")}
              >
                {!waits && (
                  <Command.Empty className="px-3 py-8 text-center text-ui text-ink-2">
                    {t(typed === "" && tab !== "action" && tab !== "all" ? "palette.type" : "palette.empty")}
                  </Command.Empty>
                )}
                {groups.map(
                  ({ heading, actions }) =>
                    actions.length > 0 && (
                      <Command.Group key={heading} heading={heading} className={GROUP}>
                        {actions.map((action) => (
                          <ActionItem key={action.id} action={action} onSelect={() => run(action.run)} />
                        ))}
                      </Command.Group>
                    ),
                )}
                {hits.length > 0 && (
                  <Command.Group
                    heading={t(tab === "all" ? "palette.found" : `palette.kind.${tab}`)}
                    className={GROUP}
                  >
                    {hits.map((hit) => (
                      <DocumentItem
                        key={documentKey(hit)}
                        hit={hit}
                        onSelect={() => run(() => openDocument(hit))}
                      />
                    ))}
                  </Command.Group>
                )}
              </Command.List>
            </div>
            {asks && search.data?.modeReason && (
              <p className="border-t border-line px-4 py-2 text-meta text-ink-3">{search.data.modeReason}</p>
            )}
          </Command>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Whether every word of the text begins a word of the name. */
function names(label: string, text: string): boolean {
  const words = (of: string) => of.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const all = words(label);
  return words(text).every((word) => all.some((it) => it.startsWith(word)));
}

/** The actions to list, in groups: all of them, or when something is typed, those whose name matches, best first. */
function useGroups(text: string, tab: Tab): { heading: string; actions: Action[] }[] {
  const { t } = useI18n();
  const actions = useAllActions().filter((action) => action.id !== "go.palette");
  if (tab !== "all" && tab !== "action") return [];
  if (text !== "") {
    const scored = actions.map((action) => ({
      action,
      score: defaultFilter(action.label, text) + (names(action.label, text) ? 1 : 0),
    }));
    const least = tab === "all" ? WELL : Number.MIN_VALUE;
    const matching = scored
      .filter(({ score }) => score >= least)
      .sort((a, b) => b.score - a.score)
      .slice(0, tab === "all" ? FEW : undefined);
    return [{ heading: t("palette.kind.action"), actions: matching.map(({ action }) => action) }];
  }
  return GROUPS.map((group) => ({
    heading: t(`palette.group.${group}`),
    actions: actions
      .filter((action) => action.group === group)
      .sort((a, b) => Number(b.keys !== undefined) - Number(a.keys !== undefined)),
  }));
}

function ActionItem({ action, onSelect }: { action: Action; onSelect(): void }) {
  return (
    <Command.Item
      value={action.id}
      onSelect={onSelect}
      className="flex h-9 items-center gap-3 rounded-sm px-2 text-ui text-ink data-[selected=true]:bg-accent-wash"
    >
      {action.icon}
      <span className="flex-1 truncate">{action.label}</span>
      {action.keys && <Keys keys={action.keys.split(" ")[0] ?? ""} />}
    </Command.Item>
  );
}
