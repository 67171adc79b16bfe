import {
  BookOpen,
  FolderInput,
  ListChecks,
  RotateCcw,
  SlidersHorizontal,
  Tags,
  Trash2,
  X,
} from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { hasKeyboardOwner } from "../../../components/actions";
import { Button, IconButton } from "../../../components/Button";
import { Labelled } from "../../../components/Fields";
import { Menu, MenuItem, MenuLine } from "../../../components/Menu";
import { Modal } from "../../../components/Modal";
import { isShortcut } from "../../../components/shortcuts/chosen";
import { TagInput } from "../../../components/TagInput";
import { useI18n } from "../../../i18n/i18n";
import type { Lifetime } from "../../../ipc/bindings.gen";
import { MoveDialog } from "../MoveDialog";
import { useWrites } from "../useWrites";
import { ImportanceDialog } from "./ImportanceDialog";

export const LIFETIMES: readonly Lifetime[] = ["long_term", "short_term", "conversation"];

type BulkBarProps = {
  ids: string[];
  /** Whether any of the chosen is forgotten, any is not. */
  has: { forgotten: boolean; kept: boolean };
  readOnly: boolean;
  onRead(): void;
  onAll(): void;
  onClear(): void;
  /** The bar goes by its own keys: the focus is to go back to the list. */
  onLeave(): void;
};

export function BulkBar({ ids, has, readOnly, onRead, onAll, onClear, onLeave }: BulkBarProps) {
  const { t } = useI18n();
  const writes = useWrites();
  const [asking, setAsking] = useState<"tags" | "move" | "importance" | null>(null);
  const count = ids.length;
  const act = async (work: Promise<boolean>) => {
    setAsking(null);
    if (await work) onClear();
  };
  const close = () => setAsking(null);
  const leave = () => {
    onClear();
    onLeave();
  };
  const forget = () => void act(writes.forget(ids));
  // The keys of the list, for what is selected in it.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const isOwn = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.defaultPrevented || !isOwn || hasKeyboardOwner()) return;
    const mod = event.ctrlKey || event.metaKey;
    if (isShortcut(event, "memory.forget")) {
      if (has.kept && !readOnly) forget();
    } else if (mod && !event.altKey && event.key === "a") onAll();
    else if (event.key === "Escape") leave();
    else return;
    event.preventDefault();
  };
  return (
    <div
      role="toolbar"
      aria-label={t("bulk.label")}
      onKeyDown={onKeyDown}
      className="appear flex h-12 shrink-0 items-center gap-1 border-t border-line bg-raised pr-2 pl-4"
    >
      <span aria-live="polite" className="tabular mr-auto truncate text-ui text-ink">
        {t("bulk.count", { count })}
      </span>
      <IconButton label={t("reading.read")} onClick={onRead}>
        <BookOpen size={16} aria-hidden />
      </IconButton>
      <IconButton label={t("bulk.all")} shortcut="list.all" onClick={onAll}>
        <ListChecks size={16} aria-hidden />
      </IconButton>
      <IconButton label={t("bulk.tag")} disabled={readOnly} onClick={() => setAsking("tags")}>
        <Tags size={16} aria-hidden />
      </IconButton>
      <IconButton label={t("bulk.move")} disabled={readOnly} onClick={() => setAsking("move")}>
        <FolderInput size={16} aria-hidden />
      </IconButton>
      <Menu
        side="top"
        align="end"
        trigger={
          <IconButton label={t("bulk.properties")} disabled={readOnly}>
            <SlidersHorizontal size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => void act(writes.pin(ids, true))}>{t("memory.pin")}</MenuItem>
        <MenuItem onSelect={() => void act(writes.pin(ids, false))}>{t("memory.unpin")}</MenuItem>
        <MenuItem onSelect={() => setAsking("importance")}>{t("bulk.importance")}</MenuItem>
        <MenuLine />
        {LIFETIMES.map((lifetime) => (
          <MenuItem key={lifetime} onSelect={() => void act(writes.lifetime(ids, lifetime))}>
            {t("bulk.lifetime", { lifetime: t(`lifetime.${lifetime}`) })}
          </MenuItem>
        ))}
      </Menu>
      {has.forgotten && (
        <IconButton
          label={t("memory.restore")}
          disabled={readOnly}
          onClick={() => void act(writes.restore(ids))}
        >
          <RotateCcw size={16} aria-hidden />
        </IconButton>
      )}
      {has.kept && (
        <IconButton label={t("memory.forget")} shortcut="memory.forget" disabled={readOnly} onClick={forget}>
          <Trash2 size={16} aria-hidden />
        </IconButton>
      )}
      <span className="mx-1 h-5 w-px bg-line" />
      <IconButton label={t("bulk.none")} shortcut="list.escape" onClick={leave}>
        <X size={16} aria-hidden />
      </IconButton>
      <TagDialog
        open={asking === "tags"}
        count={count}
        onClose={close}
        onApply={(add, remove) => void act(writes.tag(ids, add, remove))}
      />
      <MoveDialog
        open={asking === "move"}
        count={count}
        onClose={close}
        onMove={(to) => void act(writes.move(ids, to))}
      />
      <ImportanceDialog
        open={asking === "importance"}
        count={count}
        onClose={close}
        onApply={(importance) => void act(writes.importance(ids, importance))}
      />
    </div>
  );
}

type TagDialogProps = {
  open: boolean;
  count: number;
  onClose(): void;
  onApply(add: string[], remove: string[]): void;
};

function TagDialog({ open, count, onClose, onApply }: TagDialogProps) {
  const { t } = useI18n();
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  return (
    <Modal open={open} onClose={onClose} title={t("bulk.tagTitle", { count })}>
      <div className="space-y-4">
        <Labelled label={t("bulk.tagAdd")}>
          <TagInput label={t("bulk.tagAdd")} tags={add} onChange={setAdd} />
        </Labelled>
        <Labelled label={t("bulk.tagRemove")}>
          <TagInput label={t("bulk.tagRemove")} tags={remove} onChange={setRemove} />
        </Labelled>
        <div className="flex justify-end gap-2 pt-2">
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button
            look="primary"
            disabled={add.length + remove.length === 0}
            onClick={() => {
              onApply(add, remove);
              setAdd([]);
              setRemove([]);
            }}
          >
            {t("bulk.tagDo")}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
