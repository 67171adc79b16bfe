import { useMemo } from "react";
import { type Action, useActions } from "../../components/actions";
import { useLatest } from "../../components/hooks";
import { TIERS, TierIcon } from "../../components/Tier";
import { useI18n } from "../../i18n/i18n";
import type { FacetTerm, Scope } from "../../ipc/bindings.gen";
import { type Go, type MemoryView, SORT_ORDER } from "./view";

type Inputs = {
  readOnly: boolean;
  view: MemoryView;
  go: Go;
  setScope(scope: Scope | undefined): void;
  setTerms(terms: FacetTerm[]): void;
  clearLens(): void;
  startNew(): void;
  focusSearch(): void;
  toggleFilters(): void;
};

/** What the Memory page adds to the command palette and the keyboard. */
export function useMemoryActions(inputs: Inputs): void {
  const { t } = useI18n();
  const latest = useLatest(inputs);
  const { readOnly } = inputs;
  const filtered = (inputs.view.f?.length ?? 0) > 0;
  const withholds = (inputs.view.as ?? inputs.view.by) !== undefined;
  useActions(
    useMemo((): Action[] => {
      const scopes: (Scope | undefined)[] = [undefined, ...TIERS];
      return [
        {
          id: "memory.new",
          group: "memory",
          label: t("memory.new"),
          enabled: !readOnly,
          run: () => latest.current.startNew(),
        },
        {
          id: "memory.search",
          group: "memory",
          label: t("command.searchFocus"),
          run: () => latest.current.focusSearch(),
        },
        {
          id: "view.filters",
          group: "view",
          label: t("command.toggleFilters"),
          run: () => latest.current.toggleFilters(),
        },
        {
          id: "view.clear",
          group: "view",
          label: t("command.clearFilters"),
          enabled: filtered,
          run: () => latest.current.setTerms([]),
        },
        {
          id: "view.clearLens",
          group: "view",
          label: t("lens.clear"),
          enabled: withholds,
          run: () => latest.current.clearLens(),
        },
        {
          id: "view.forgotten",
          group: "view",
          label: t("command.showForgotten"),
          run: () => latest.current.setTerms([{ facet: "forgotten", value: "yes", negated: false }]),
        },
        ...scopes.map(
          (scope): Action => ({
            id: `view.scope.${scope ?? "all"}`,
            group: "view",
            label: t("command.scope", { tier: t(`tier.${scope ?? "all"}`) }),
            icon: scope && <TierIcon scope={scope} />,
            run: () => latest.current.setScope(scope),
          }),
        ),
        ...SORT_ORDER.map(
          (sort): Action => ({
            id: `view.sort.${sort}`,
            group: "view",
            label: t("command.sortBy", { sort: t(`sort.${sort}`) }),
            run: () => latest.current.go({ sort }),
          }),
        ),
      ];
    }, [t, readOnly, filtered, withholds, latest]),
  );
}
