import { clsx } from "clsx";
import { Bookmark } from "lucide-react";
import { memo, useEffect, useMemo, useRef, useState } from "react";
import { type Action, useActions } from "../../../components/actions";
import { IconButton } from "../../../components/Button";
import { useFocusFallback } from "../../../components/hooks";
import { Popup } from "../../../components/Popup";
import { useI18n } from "../../../i18n/i18n";
import type { MemoryView } from "../view";
import { NameForm } from "./NameForm";
import { SavedRow } from "./SavedRow";
import { isPlain, isSameSearch, NAME_LENGTH, type SearchedView } from "./searches";
import { type NamedSearch, useSavedSearches, useSavedSearchWrites } from "./useSavedSearches";

type SavedSearchesProps = { view: MemoryView; onOpen(view: SearchedView): void };

/** The saved searches of the world, and the way to save the one that is shown. */
export const SavedSearches = memo(function SavedSearches({ view, onOpen }: SavedSearchesProps) {
  const { t } = useI18n();
  const searches = useSavedSearches();
  const writes = useSavedSearchWrites();
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
  const move = async ({ id, name }: NamedSearch, place: number) => {
    if (place < 0 || place >= searches.length) return;
    if (await writes.move(id, place))
      setStatus(t("saved.moved", { name, place: place + 1, count: searches.length }));
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
            onSubmit={async (wanted) => {
              const problem = await writes.save(wanted, view);
              if (problem === null) setStatus(t("saved.done", { name: wanted }));
              return problem;
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
                key={search.id}
                search={search}
                isOpen={search === current}
                isFirst={n === 0}
                isLast={n === searches.length - 1}
                onOpen={() => {
                  setOpen(false);
                  onOpen(search.view);
                }}
                onRename={(to) => writes.rename(search.id, to)}
                onMove={(by) => void move(search, n + by)}
                onRemove={() => void writes.remove(search, n)}
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
