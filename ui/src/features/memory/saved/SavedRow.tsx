import { ArrowDown, ArrowUp, Ellipsis, Pencil, Trash2 } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { IconButton } from "../../../components/Button";
import { Menu, MenuItem, MenuLine } from "../../../components/Menu";
import { useI18n } from "../../../i18n/i18n";
import { NameForm } from "./NameForm";
import type { NamedSearch } from "./useSavedSearches";
import { useSearchText } from "./useSearchText";

type SavedRowProps = {
  search: NamedSearch;
  isOpen: boolean;
  isFirst: boolean;
  isLast: boolean;
  onOpen(): void;
  /** What is wrong with the name, or null. */
  onRename(name: string): Promise<string | null>;
  onMove(by: 1 | -1): void;
  onRemove(): void;
};

/** A saved search: opens it, and what else can be done with it. Alt with an arrow moves it. */
export function SavedRow(props: SavedRowProps) {
  const { search, isOpen, isFirst, isLast, onOpen, onRename, onMove, onRemove } = props;
  const { t } = useI18n();
  const textOf = useSearchText();
  const button = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [isRenaming, setIsRenaming] = useState(false);
  const { name, view } = search;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    onMove(event.key === "ArrowUp" ? -1 : 1);
    // What is moved in the document loses the focus.
    requestAnimationFrame(() => button.current?.focus());
  };
  return (
    <li className="flex items-center gap-1">
      {isRenaming ? (
        <div className="min-w-0 flex-1 px-2 py-1">
          <NameForm
            input={field}
            initial={name}
            label={t("saved.name")}
            submit={t("saved.renameDo")}
            onCancel={() => setIsRenaming(false)}
            onSubmit={async (next) => {
              const problem = await onRename(next);
              if (problem === null) setIsRenaming(false);
              return problem;
            }}
          />
        </div>
      ) : (
        <button
          ref={button}
          type="button"
          aria-current={isOpen || undefined}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          onClick={onOpen}
          onKeyDown={onKeyDown}
          className="focus-inset min-w-0 flex-1 rounded-sm px-2 py-1 text-left hover:bg-hover aria-[current=true]:bg-accent-wash"
        >
          <span className="block truncate text-ui text-ink">{name}</span>
          <span className="block truncate text-meta text-ink-2">{textOf(view)}</span>
        </button>
      )}
      <Menu
        align="end"
        finalFocus={() => field.current ?? true}
        trigger={
          <IconButton label={t("saved.actions", { name })} className="size-7">
            <Ellipsis size={14} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil size={14} aria-hidden />} onSelect={() => setIsRenaming(true)}>
          {t("saved.rename")}
        </MenuItem>
        <MenuItem
          icon={<ArrowUp size={14} aria-hidden />}
          shortcut="saved.up"
          disabled={isFirst}
          onSelect={() => onMove(-1)}
        >
          {t("saved.up")}
        </MenuItem>
        <MenuItem
          icon={<ArrowDown size={14} aria-hidden />}
          shortcut="saved.down"
          disabled={isLast}
          onSelect={() => onMove(1)}
        >
          {t("saved.down")}
        </MenuItem>
        <MenuLine />
        <MenuItem icon={<Trash2 size={14} aria-hidden />} danger onSelect={onRemove}>
          {t("saved.remove")}
        </MenuItem>
      </Menu>
    </li>
  );
}
