import { BookOpen, Ellipsis } from "lucide-react";
import { memo } from "react";
import { useAction } from "../../components/actions";
import { IconButton } from "../../components/Button";
import { Menu, MenuItem } from "../../components/Menu";
import { useI18n } from "../../i18n/i18n";

/** What concerns the whole of memory, and is done elsewhere: the actions are offered by the window. */
export const MoreMenu = memo(function MoreMenu() {
  const { t } = useI18n();
  const read = useAction("list.read");
  const bring = useAction("transfer.import");
  const write = useAction("transfer.export");
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={t("action.more")}>
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      }
    >
      <MenuItem icon={<BookOpen size={14} aria-hidden />} disabled={!read} onSelect={() => read?.run()}>
        {read?.label ?? t("reading.list")}
      </MenuItem>
      <MenuItem icon={bring?.icon} disabled={!bring} onSelect={() => bring?.run()}>
        {t("transfer.import")}
      </MenuItem>
      <MenuItem icon={write?.icon} disabled={!write} onSelect={() => write?.run()}>
        {t("transfer.export")}
      </MenuItem>
    </Menu>
  );
});
