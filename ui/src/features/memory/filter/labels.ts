import { useCallback } from "react";
import { useI18n } from "../../../i18n/i18n";
import type { MessageKey } from "../../../i18n/messages";
import { messages } from "../../../i18n/messages";
import type { Facet, FacetTerm } from "../../../ipc/bindings.gen";

/** Facet values that belong to the application have names; the others (tags, sources) are the worldbuilder's own words. */
export function useFacetLabels() {
  const { t } = useI18n();
  const value = useCallback(
    (facet: Facet, raw: string): string => {
      if (raw === "") return t("value.empty");
      const key = facet === "curator" || facet === "lifetime" ? `${facet}.${raw}` : `value.${facet}.${raw}`;
      return key in messages ? t(key as MessageKey) : raw;
    },
    [t],
  );
  const term = useCallback(
    ({ facet, value: raw, negated }: FacetTerm) =>
      t(negated ? "filter.isNot" : "filter.is", { facet: t(`facet.${facet}`), value: value(facet, raw) }),
    [t, value],
  );
  return { value, term };
}
