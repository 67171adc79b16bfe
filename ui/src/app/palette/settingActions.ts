import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Action } from "../../components/actions";
import { SECTIONS } from "../../features/settings/view";
import { useI18n } from "../../i18n/i18n";
import { revealSection } from "./reveal";

/** What "access" leads to has actions of its own. */
const SHOWN = SECTIONS.flatMap((section) => (section[0] === "access" ? [] : [section]));

/** One action for each section of the settings, which shows it. It is found by other words than its title, too. */
export function useSettingActions(): Action[] {
  const { t } = useI18n();
  const navigate = useNavigate();
  return useMemo(
    () =>
      SHOWN.map(([id, title]) => ({
        id: `settings.section.${id}`,
        group: "settings",
        label: t("palette.setting", { section: t(title) }),
        words: t(`palette.words.${id}`),
        run: () => void navigate({ to: "/settings" }).then(() => revealSection(t(title))),
      })),
    [t, navigate],
  );
}
