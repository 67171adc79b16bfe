import { useMemo } from "react";
import { type Action, useActions } from "../components/actions";
import { useI18n } from "../i18n/i18n";
import { ENDONYMS } from "../i18n/locales";
import { language } from "../preferences/preferences";

/** How the window looks, from every page. */
export function useAppearanceActions(): void {
  const { t } = useI18n();
  useActions(
    useMemo(
      (): Action[] =>
        language.values.map((value) => ({
          id: `settings.language.${value}`,
          group: "settings",
          label: t("command.language", {
            language: value === "system" ? t("language.system") : ENDONYMS[value],
          }),
          run: () => language.set(value),
        })),
      [t],
    ),
  );
}
