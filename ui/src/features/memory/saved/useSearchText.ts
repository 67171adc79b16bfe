import { useCallback } from "react";
import { useI18n } from "../../../i18n/i18n";
import { useFacetLabels } from "../filter/labels";
import { filterOf } from "../view";
import type { SearchedView } from "./searches";

const PART = " · ";

/** What a saved search searches for, in a few words. Of its lens it is only mentioned that there is one. */
export function useSearchText(): (view: SearchedView) => string {
  const { t } = useI18n();
  const labels = useFacetLabels();
  return useCallback(
    (view) => {
      const { terms, lens } = filterOf(view);
      return [
        view.q && t("saved.query", { text: view.q }),
        view.scope && t(`tier.${view.scope}`),
        ...terms.map(labels.term),
        lens && t("saved.lens"),
        view.sort && t(`sort.${view.sort}`),
      ]
        .filter(Boolean)
        .join(PART);
    },
    [t, labels],
  );
}
