import { useMemo } from "react";
import { useI18n } from "../../i18n/i18n";

/** Lenses in words. */
export function useLensText() {
  const { t } = useI18n();
  return useMemo(
    () => ({
      /** The name of a subject. The core gives the id of one that is not there any more. */
      nameOf: (id: string | null, name: string) => (name === id ? t("lens.gone") : name),
    }),
    [t],
  );
}
