import { useMemo } from "react";
import { type Action, useActions } from "../components/actions";
import { useI18n } from "../i18n/i18n";
import { endonym } from "../i18n/locales";
import { language, readingWidth, spelling, textSize, zoom } from "../preferences/preferences";
import { zoomBy } from "../preferences/zoom";

/** How the window looks, from every page. */
export function useAppearanceActions(): void {
  const { t } = useI18n();
  useActions(
    useMemo((): Action[] => {
      /** One action for each value of a preference. */
      const choices = <T extends string>(
        { values, set }: { values: readonly T[]; set(value: T): void },
        name: string,
        labelOf: (value: T) => string,
      ): Action[] =>
        values.map((value) => ({
          id: `settings.${name}.${value}`,
          group: "settings",
          label: labelOf(value),
          run: () => set(value),
        }));
      const zoomed = (id: string, label: string, run: () => void): Action => ({
        id: `view.${id}`,
        group: "view",
        label,
        inDialogs: true,
        run,
      });
      return [
        zoomed("zoomIn", t("command.zoomIn"), () => zoomBy(1)),
        zoomed("zoomOut", t("command.zoomOut"), () => zoomBy(-1)),
        zoomed("zoomReset", t("command.zoomReset"), () => zoom.set("100")),
        ...choices(language, "language", (value) =>
          t("command.language", { language: value === "system" ? t("language.system") : endonym(value) }),
        ),
        ...choices(textSize, "textSize", (value) => t("command.textSize", { size: t(`textSize.${value}`) })),
        ...choices(readingWidth, "readingWidth", (value) =>
          t("command.readingWidth", { width: t(`readingWidth.${value}`) }),
        ),
        ...choices(spelling, "spelling", (value) =>
          t("command.spelling", {
            language: value === "off" || value === "window" ? t(`spelling.${value}`) : endonym(value),
          }),
        ),
      ];
    }, [t]),
  );
}
