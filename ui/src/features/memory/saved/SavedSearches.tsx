import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Bookmark } from "lucide-react";
import { memo, useEffect, useMemo, useRef, useState } from "react";
import { type Action, useActions } from "../../../components/actions";
import { IconButton } from "../../../components/Button";
import { useFocusFallback } from "../../../components/hooks";
import { Popup } from "../../../components/Popup";
import { useToasts } from "../../../components/toast";
import { useI18n } from "../../../i18n/i18n";
import { statusQuery } from "../../../ipc/queries";
import type { MemoryView } from "../view";
import { NameForm } from "./NameForm";
import { SavedRow } from "./SavedRow";
import {
  isPlain,
  isSameSearch,
  moveSearch,
  NAME_LENGTH,
  removeSearch,
  renameSearch,
  type SearchedView,
  saveSearch,
  useSavedSearches,
} from "./searches";

type SavedSearchesProps = { view: MemoryView; onOpen(view: SearchedView): void };

/** The saved searches of the world, and the way to save the one that is shown. */
export const SavedSearches = memo(function SavedSearches({ view, onOpen }: SavedSearchesProps) {
  const { t } = useI18n();
  const { undoable } = useToasts();
  const world = useQuery(statusQuery).data?.workspace?.id;
  const searches = useSavedSearches(world);
  const [open, setOpen] = useState(false);
  const [status, setStatus] = useState("");
  const box = useRef<HTMLDivElement>(null);
  const name = useRef<HTMLInputElement>(null);
  const current = searches.find((it) => isSameSearch(it.view, view));
  const canSave = !isPlain(view) && current === undefined;
  useFocusFallback(box);
  // What was announced is not read again when the list is opened the next time.
  useEffect(() => {
    if (!open) setStatus("");
  }, [open]);
  useActions(
    useMemo(
      (): Action[] => [
        {
          id: "memory.saveSearch",
          group: "memory",
          label: t("saved.save"),
          enabled: canSave,
          run: () => {
            setOpen(true);
            // When the list is there.
            setTimeout(() => name.current?.focus(), 50);
          },
        },
      ],
      [t, canSave],
    ),
  );
  if (world === undefined) return null;
  const move = (moved: string, by: 1 | -1) => {
    const place = moveSearch(world, moved, by);
    if (place !== null) setStatus(t("saved.moved", { name: moved, place, count: searches.length }));
  };
  const remove = (removed: string) => {
    const undo = removeSearch(world, removed);
    undoable(t("saved.removed", { name: removed }), async () => undo());
  };
  return (
    <Popup
      open={open}
      onOpenChange={setOpen}
      title={t("saved.title")}
      trigger={
        <IconButton label={t("saved.title")} className="size-9">
          <Bookmark
            size={16}
            aria-hidden
            className={clsx(current && "text-accent")}
            fill={current ? "currentColor" : "none"}
          />
        </IconButton>
      }
    >
      <div ref={box} tabIndex={-1} className="outline-none">
        {canSave ? (
          <NameForm
            // Another search has another name.
            key={JSON.stringify(view)}
            input={name}
            initial={(view.q ?? "").trim().slice(0, NAME_LENGTH)}
            label={t("saved.new")}
            submit={t("saved.saveDo")}
            onSubmit={(wanted) => {
              const isDone = saveSearch(world, wanted, view);
              if (isDone) setStatus(t("saved.done", { name: wanted }));
              return isDone;
            }}
          />
        ) : (
          <p className="px-2 text-meta text-pretty text-ink-2">
            {current ? t("saved.as", { name: current.name }) : t("saved.nothing")}
          </p>
        )}
        {searches.length > 0 && (
          <ul aria-label={t("saved.title")} className="mt-3 border-t border-line pt-2">
            {searches.map((search, n) => (
              <SavedRow
                key={search.name}
                search={search}
                isOpen={search === current}
                isFirst={n === 0}
                isLast={n === searches.length - 1}
                onOpen={() => {
                  setOpen(false);
                  onOpen(search.view);
                }}
                onRename={(to) => renameSearch(world, search.name, to)}
                onMove={(by) => move(search.name, by)}
                onRemove={() => remove(search.name)}
              />
            ))}
          </ul>
        )}
        <p role="status" className="sr-only">
          {status}
        </p>
      </div>
    </Popup>
  );
});
