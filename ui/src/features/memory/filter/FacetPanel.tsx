import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Check } from "lucide-react";
import { memo, useState } from "react";
import { TYPING_REST, useSettled } from "../../../components/hooks";
import { Failed } from "../../../components/States";
import { useI18n } from "../../../i18n/i18n";
import type { Facet, FacetCount, FacetTerm, FacetValues, MemoryFilter } from "../../../ipc/bindings.gen";
import { facetCountsQuery } from "../../../ipc/queries";
import { sameTerm } from "../view";
import { useFacetLabels } from "./labels";

const SHORT = 6;

type PanelProps = { filter: MemoryFilter; query: string; onTerms(terms: FacetTerm[]): void };

/** Every facet with its values and counts; each value can be asked for or ruled out. */
export function FacetPanel({ filter, query, onTerms }: PanelProps) {
  // They cost a search of their own, and the list comes first.
  const settled = useSettled(query, query === "" ? 0 : TYPING_REST);
  return <Facets filter={filter} query={query === "" ? "" : settled} onTerms={onTerms} />;
}

/** Drawn again when the typing rests, not with every letter. */
const Facets = memo(function Facets({ filter, query, onTerms }: PanelProps) {
  const { t } = useI18n();
  const { data, error, refetch } = useQuery(facetCountsQuery(filter, query === "" ? null : query));
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data?.length === 0) return <p className="px-2 py-4 text-ui text-ink-2">{t("filter.none")}</p>;
  return (
    <div className="space-y-5">
      {data?.map((group) => (
        <Group
          key={group.facet}
          group={withChosen(group, filter.terms)}
          terms={filter.terms}
          onTerms={onTerms}
        />
      ))}
    </div>
  );
});

/** A chosen value stays in sight even when nothing has it any more, or it could not be taken away. */
function withChosen(group: FacetValues, terms: FacetTerm[]): FacetValues {
  const missing = terms
    .filter((term) => term.facet === group.facet && !group.values.some((it) => it.value === term.value))
    .map((term): FacetCount => ({ value: term.value, count: 0 }));
  return missing.length > 0 ? { ...group, values: [...group.values, ...missing] } : group;
}

function Group({
  group,
  terms,
  onTerms,
}: {
  group: FacetValues;
  terms: FacetTerm[];
  onTerms(terms: FacetTerm[]): void;
}) {
  const { t } = useI18n();
  const [all, setAll] = useState(false);
  const values = group.facet === "forgotten" ? forgottenValues(group) : group.values;
  if (values.length === 0) return null;
  const chosen = (value: string) => terms.some((term) => sameTerm(term, group.facet, value));
  const shown = all ? values : values.filter((it, i) => i < SHORT || chosen(it.value));
  return (
    <section aria-label={t(`facet.${group.facet}`)}>
      <h3 className="px-2 pb-1 text-meta font-strong text-ink-3">{t(`facet.${group.facet}`)}</h3>
      <ul>
        {shown.map((it) => (
          <Value key={it.value} facet={group.facet} count={it} terms={terms} onTerms={onTerms} />
        ))}
      </ul>
      {values.length > SHORT && (
        <button
          type="button"
          onClick={() => setAll(!all)}
          className="h-6 rounded-sm px-2 text-meta text-accent hover:underline"
        >
          {all ? t("filter.fewer") : t("filter.more", { count: values.length - shown.length })}
        </button>
      )}
    </section>
  );
}

/** "Any" is a switch of the view rather than a value with a meaningful count. */
function forgottenValues(group: FacetValues): FacetCount[] {
  const yes = group.values.find((it) => it.value === "yes")?.count ?? 0;
  return [
    { value: "yes", count: yes },
    { value: "any", count: yes },
  ];
}

type ValueProps = { facet: Facet; count: FacetCount; terms: FacetTerm[]; onTerms(terms: FacetTerm[]): void };

function Value({ facet, count, terms, onTerms }: ValueProps) {
  const { t, number } = useI18n();
  const labels = useFacetLabels();
  const current = terms.find((term) => sameTerm(term, facet, count.value));
  const label = labels.value(facet, count.value);
  const set = (negated: boolean) => {
    // "Forgotten only" and "forgotten too" answer one question: the newer answer wins.
    const single = facet === "forgotten";
    const others = terms.filter((term) =>
      single ? term.facet !== facet : !sameTerm(term, facet, count.value),
    );
    const same = current && current.negated === negated;
    onTerms(same ? others : [...others, { facet, value: count.value, negated }]);
  };
  return (
    <li className={clsx("group flex items-center rounded-sm", current ? "bg-accent-wash" : "hover:bg-hover")}>
      <button
        type="button"
        aria-pressed={current !== undefined && !current.negated}
        aria-label={`${t("filter.include", { value: label })}, ${number(count.count)}`}
        onClick={() => set(false)}
        className="focus-inset flex h-7 min-w-0 flex-1 items-center gap-2 rounded-sm px-2 text-left text-ui"
      >
        <span className={clsx("truncate", current?.negated ? "text-ink-2 line-through" : "text-ink")}>
          {label}
        </span>
        {current && !current.negated && (
          <Check size={14} aria-hidden className="ml-auto shrink-0 text-accent" />
        )}
      </button>
      {facet !== "forgotten" && (
        <button
          type="button"
          aria-pressed={current?.negated === true}
          aria-label={t("filter.exclude", { value: label })}
          onClick={() => set(true)}
          className={clsx(
            "focus-inset h-6 rounded-sm px-2 text-meta text-ink-2 hover:text-danger focus-visible:opacity-100",
            current?.negated ? "text-danger" : "opacity-0 group-hover:opacity-100",
          )}
        >
          {t("filter.excludeShort")}
        </button>
      )}
      <span aria-hidden className="tabular min-w-8 pr-2 text-right text-meta text-ink-3">
        {facet === "forgotten" && count.value === "any" ? "" : number(count.count)}
      </span>
    </li>
  );
}
