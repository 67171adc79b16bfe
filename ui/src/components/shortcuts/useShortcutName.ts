import { useCallback } from "react";
import { useI18n } from "../../i18n/i18n";
import { type ShortcutId, shortcutOf } from "./table";

/** What a shortcut does, in the words of the window. */
export function useShortcutName(): (id: ShortcutId) => string {
  const { t } = useI18n();
  return useCallback(
    (id) => {
      const { label } = shortcutOf(id);
      return typeof label === "string" ? t(label) : label(t);
    },
    [t],
  );
}
