import { X } from "lucide-react";
import { useI18n } from "../../../i18n/i18n";
import type { FacetTerm } from "../../../ipc/bindings.gen";
import { sameTerm } from "../view";
import { useFacetLabels } from "./labels";

type ChipsProps = { terms: FacetTerm[]; onTerms(terms: FacetTerm[]): void };

/** The filters in force, in plain sight: press one to turn it around, or its cross to take it away. */
export function FilterChips({ terms, onTerms }: ChipsProps) {
  const { t } = useI18n();
  const labels = useFacetLabels();
  return (
    <ul className="flex flex-wrap items-center gap-1" aria-label={t("filter.title")}>
      {terms.map((term) => {
        const label = labels.term(term);
        const others = terms.filter((it) => !sameTerm(it, term.facet, term.value));
        return (
          <li
            key={`${term.facet}:${term.value}`}
            className="fc-border inline-flex h-6 items-center rounded-sm bg-accent-wash text-meta text-ink"
          >
            {term.facet === "forgotten" ? (
              <span className="px-2">{label}</span>
            ) : (
              <button
                type="button"
                title={t("filter.negate", { value: label })}
                onClick={() =>
                  onTerms(terms.map((it) => (it === term ? { ...it, negated: !it.negated } : it)))
                }
                className="h-6 rounded-sm px-2 hover:text-accent-strong"
              >
                {label}
              </button>
            )}
            <button
              type="button"
              aria-label={t("filter.remove", { value: label })}
              onClick={() => onTerms(others)}
              className="inline-flex size-6 items-center justify-center rounded-sm text-ink-2 hover:text-ink"
            >
              <X size={12} aria-hidden />
            </button>
          </li>
        );
      })}
      <li>
        <button
          type="button"
          onClick={() => onTerms([])}
          className="h-6 rounded-sm px-2 text-meta text-ink-2 hover:text-ink"
        >
          {t("filter.clear")}
        </button>
      </li>
    </ul>
  );
}
