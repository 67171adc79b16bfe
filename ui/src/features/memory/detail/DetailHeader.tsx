import { Ellipsis, Pencil, Pin, Trash2, X } from "lucide-react";
import { Button, IconButton } from "../../../components/Button";
import { Menu, MenuItem } from "../../../components/Menu";
import { PlaceItems } from "../../../components/PlaceItems";
import { TierIcon } from "../../../components/Tier";
import { WholeWindow } from "../../../components/WholeWindow";
import { useI18n } from "../../../i18n/i18n";
import type { MemoryRow } from "../../../ipc/bindings.gen";

type DetailActions = {
  edit(): void;
  pin(): void;
  forget(): void;
  copyText(): void;
  copyId(): void;
  scrub(): void;
  test(): void;
  promote(): void;
  move(): void;
};

type HeaderProps = {
  row: MemoryRow;
  canWrite: boolean;
  /** A named entry stays in its tier. */
  canMove: boolean;
  /** Recall tests can be added. */
  canTest: boolean;
  editing: boolean;
  actions: DetailActions;
  /** Not there in a window of its own, where there is no list to go back to. */
  onClose?: (() => void) | undefined;
};

export function DetailHeader({ row, canWrite, canMove, canTest, editing, actions, onClose }: HeaderProps) {
  const { t } = useI18n();
  return (
    <header className="sticky top-0 z-10 flex h-12 items-center gap-1 border-b border-line bg-paper pr-2 pl-5 @lg:pl-8">
      <p
        className="mr-auto flex min-w-0 items-center gap-2 text-ui text-ink-2"
        title={t(`tier.hint.${row.scope}`)}
      >
        <TierIcon scope={row.scope} />
        <span className="truncate">
          {t(`tier.${row.scope}`)}
          {row.channelName && ` · #${row.channelName}`}
        </span>
      </p>
      {!editing && canWrite && (
        <Button look="ghost" onClick={actions.edit}>
          <Pencil size={14} aria-hidden />
          {t("memory.edit")}
        </Button>
      )}
      <IconButton
        label={t(row.pinned ? "memory.unpin" : "memory.pin")}
        shortcut="memory.pin"
        aria-pressed={row.pinned}
        disabled={!canWrite}
        onClick={actions.pin}
      >
        <Pin size={16} fill={row.pinned ? "currentColor" : "none"} aria-hidden />
      </IconButton>
      {canWrite && (
        <IconButton label={t("memory.forget")} shortcut="memory.forget" onClick={actions.forget}>
          <Trash2 size={16} aria-hidden />
        </IconButton>
      )}
      <Menu
        align="end"
        trigger={
          <IconButton label={t("action.more")}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <PlaceItems
          to={{ to: "/memory", search: { id: row.id, own: true } }}
          target="memory"
          value={row.id}
        />
        <MenuItem onSelect={actions.copyText}>{t("memory.copyText")}</MenuItem>
        <MenuItem onSelect={actions.copyId}>{t("memory.copyId")}</MenuItem>
        <MenuItem disabled={!canTest} onSelect={actions.test}>
          {t("recall.forMemory")}
        </MenuItem>
        <MenuItem disabled={!canMove} onSelect={actions.move}>
          {t("memory.move")}
        </MenuItem>
        <MenuItem onSelect={actions.promote}>{t("promote.action")}</MenuItem>
        <MenuItem onSelect={actions.scrub}>{t("memory.scrub")}</MenuItem>
      </Menu>
      {onClose ? (
        <IconButton label={t("memory.closeDetail")} shortcut="list.escape" onClick={onClose}>
          <X size={16} aria-hidden />
        </IconButton>
      ) : (
        <WholeWindow />
      )}
    </header>
  );
}
