import { useMemo } from "react";
import type { Action } from "../../components/actions";
import { useLatest } from "../../components/hooks";
import { useI18n } from "../../i18n/i18n";
import { SECTIONS, type Section } from "./view";

/** What "access" leads to has actions of its own. */
const SHOWN = SECTIONS.flatMap((section) => (section[0] === "access" ? [] : [section]));

/** One action for each section of the settings, which shows it. It is found by other words than its title, too. */
export function useSectionActions(open: (section: Section) => void): Action[] {
  const { t } = useI18n();
  const latest = useLatest(open);
  return useMemo(
    () =>
      SHOWN.map(([id, title]) => ({
        id: `settings.section.${id}`,
        group: "settings",
        label: t("palette.setting", { section: t(title) }),
        words: t(`palette.words.${id}`),
        run: () => latest.current(id),
      })),
    [t, latest],
  );
}
