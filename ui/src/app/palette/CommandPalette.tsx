import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Command } from "cmdk";
import { useRef, useState } from "react";
import { useSettled } from "../../components/hooks";
import { ChipFace, PLAIN_CHIP } from "../../components/lens/LensChip";
import { useLens } from "../../components/lens/useLens";
import { useLensText } from "../../components/lens/useLensText";
import { useOver } from "../../components/Modal";
import { useI18n } from "../../i18n/i18n";
import type { LensSpec } from "../../ipc/bindings.gen";
import { statusQuery } from "../../ipc/queries";
import { addRecent } from "./recents";
import type { PaletteGroup, PaletteRow } from "./rows";
import { useChosen } from "./useChosen";
import { useAllCommands, useCommands } from "./useCommands";
import { useDocuments } from "./useDocuments";
import { usePageLens } from "./usePageLens";
import { usePlaces } from "./usePlaces";
import { useRecents } from "./useRecents";

/** Milliseconds that typing rests before the core is asked. */
const REST = 80;

const GROUP =
  "pb-1 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:text-ink-3";

/** One field that finds everything in the world and every action, with what was opened lately before anything is typed. */
export function CommandPalette({ onClose }: { onClose(): void }) {
  const { t } = useI18n();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [isWide, setIsWide] = useState(false);
  const typed = text.trim();
  const query = useSettled(typed, typed === "" ? 0 : REST);
  const world = useQuery(statusQuery).data?.workspace?.id;
  const lens = usePageLens();

  const all = useAllCommands();
  const commands = useCommands({ typed, all, isWide, onWiden: () => setIsWide(true) });
  const places = usePlaces(typed, lens);
  const documents = useDocuments({ typed, query, lens });
  const recents = useRecents({ world, lens, actions: all });
  const found = [...commands, ...places.groups, ...documents.groups];
  const groups = (typed === "" ? [recents, ...commands] : found).filter(({ rows }) => rows.length > 0);
  const isEmpty = groups.length === 0;
  const waits = places.waits || documents.waits;

  const { value, onText, ...moves } = useChosen(typed, groups);
  const run = (row: PaletteRow) => {
    if (row.stays) {
      row.run();
      return;
    }
    if (world !== undefined && all.some(({ id }) => id === row.value))
      addRecent(world, { kind: "action", id: row.value });
    onClose();
    // After the dialog has given the focus back, so that the action may place it elsewhere.
    setTimeout(row.run, 0);
  };

  useOver(true);
  return (
    <Dialog.Root open onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup
          initialFocus={input}
          className="appear fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-160 -translate-x-1/2 overflow-hidden rounded-md border border-line bg-raised shadow-pop outline-none"
        >
          <Dialog.Title className="sr-only">{t("palette.title")}</Dialog.Title>
          <Command
            label={t("palette.title")}
            loop
            shouldFilter={false}
            // Ctrl-K would go up a row in place of closing.
            vimBindings={false}
            value={value}
            {...moves}
          >
            <Command.Input
              ref={input}
              value={text}
              onValueChange={(next) => {
                onText();
                setText(next);
                setIsWide(false);
              }}
              maxLength={10_000}
              placeholder={t("palette.placeholder")}
              className="h-12 w-full border-b border-line bg-transparent px-4 text-snippet text-ink outline-none placeholder:text-ink-3"
            />
            <Command.List
              className={clsx("max-h-[min(32.5rem,64vh)] overflow-y-auto p-2", isEmpty && "hidden")}
              label={t("palette.title")}
              aria-busy={waits}
            >
              {groups.map((group) => (
                <Group key={group.id} group={group} onSelect={run} />
              ))}
            </Command.List>
            {/* A list has rows alone. */}
            {isEmpty && (waits ? <Waiting /> : <Nothing />)}
            <Footer lens={lens} modeReason={documents.modeReason} />
          </Command>
          <p role="status" className="sr-only">
            {typed !== "" && !waits && t("palette.count", { count: countOf(groups) })}
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const countOf = (groups: readonly PaletteGroup[]) =>
  groups.flatMap(({ rows }) => rows).filter(({ isMore }) => !isMore).length;

function Group({ group, onSelect }: { group: PaletteGroup; onSelect(row: PaletteRow): void }) {
  return (
    <Command.Group heading={group.heading} className={GROUP}>
      {group.rows.map((row) => (
        <Command.Item
          key={row.value}
          value={row.value}
          onSelect={() => onSelect(row)}
          className={clsx(
            "flex min-h-9 gap-3 rounded-sm px-2 py-1.5 data-[selected=true]:bg-accent-wash",
            row.isMore && "text-ui text-ink-2",
          )}
        >
          {/* In the middle of the first line, however many there are. */}
          <span className="flex h-6 shrink-0 items-center">{row.icon}</span>
          <span className="min-w-0 flex-1 self-center">{row.body}</span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}

/** Nothing is there yet. */
function Waiting() {
  const { t } = useI18n();
  return (
    <div role="status" aria-label={t("state.loading")} className="space-y-3 p-4">
      <div className="skeleton h-5 w-2/3" />
      <div className="skeleton h-5 w-full" />
      <div className="skeleton h-5 w-1/2" />
    </div>
  );
}

function Nothing() {
  const { t } = useI18n();
  return <p className="px-3 py-8 text-center text-ui text-ink-2">{t("palette.empty")}</p>;
}

type FooterProps = { lens: LensSpec | null | undefined; modeReason: string | null };

/** Whose knowledge is searched, and why it is not searched by meaning. */
function Footer({ lens, modeReason }: FooterProps) {
  const { short } = useLensText();
  const { view } = useLens(lens ?? null);
  if (!view && !modeReason) return null;
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line px-4 py-2 text-meta text-ink-3">
      {view && (
        <span className={PLAIN_CHIP}>
          <ChipFace>{short(view)}</ChipFace>
        </span>
      )}
      {modeReason && <span>{modeReason}</span>}
    </div>
  );
}
