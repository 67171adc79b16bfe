import type { NavigateOptions } from "@tanstack/react-router";
import { useI18n } from "../i18n/i18n";
import type { Target } from "../ipc/bindings.gen";
import { hasShell } from "../ipc/shell";
import { MenuItem } from "./Menu";
import { useCopyLink } from "./useCopyLink";
import { useNewWindowAt } from "./useNewWindow";

/** What a menu offers for the place of one thing: a window of its own, and a link to it. */
export function PlaceItems({ to, target, value }: { to: NavigateOptions; target: Target; value: string }) {
  const { t } = useI18n();
  const open = useNewWindowAt();
  const copyLink = useCopyLink();
  return (
    <>
      {hasShell() && <MenuItem onSelect={() => open(to)}>{t("window.open")}</MenuItem>}
      <MenuItem onSelect={() => copyLink(target, value)}>{t("link.copy")}</MenuItem>
    </>
  );
}
