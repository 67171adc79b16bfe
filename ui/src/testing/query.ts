import type {
  Contribution,
  Facet,
  FacetValues,
  ListName,
  MemoryFilter,
  MemoryRow,
  SearchHit,
  SearchRequest,
  SearchResponse,
  Sort,
  Span,
} from "../ipc/bindings.gen";
import { decayTerms, type Entry } from "./store";

export function band(importance: number): "low" | "medium" | "high" {
  return importance < 0.3 ? "low" : importance < 0.7 ? "medium" : "high";
}

function valuesOf(entry: Entry, facet: Facet): string[] {
  const { row, origin, forgotten } = entry.detail;
  switch (facet) {
    case "source":
      return [row.source];
    case "curator":
      return [row.curator];
    case "lifetime":
      return [row.lifetime];
    case "tag":
      return row.tags;
    case "importance":
      return [band(row.importance)];
    case "embedding":
      return [row.hasEmbedding ? "yes" : "no"];
    case "forgotten":
      return forgotten ? ["yes", "any"] : ["any"];
    case "speaker":
      return origin?.speaker ? [origin.speaker] : [];
  }
}

export function passes(entry: Entry, filter: MemoryFilter, without?: Facet | "scope"): boolean {
  const { row, forgotten } = entry.detail;
  if (without !== "scope" && filter.scope && row.scope !== filter.scope) return false;
  if (filter.channelId && row.channelId !== filter.channelId) return false;
  if (filter.conversationId && row.conversationId !== filter.conversationId) return false;
  if (forgotten && !filter.terms.some((term) => term.facet === "forgotten" && !term.negated)) return false;
  const facets = new Set(filter.terms.map((term) => term.facet));
  for (const facet of facets) {
    if (facet === without) continue;
    const values = valuesOf(entry, facet);
    const terms = filter.terms.filter((term) => term.facet === facet);
    const wanted = terms.filter((term) => !term.negated);
    if (wanted.length > 0 && !wanted.some((term) => values.includes(term.value))) return false;
    if (terms.some((term) => term.negated && values.includes(term.value))) return false;
  }
  return true;
}

export function sorted(entries: Entry[], sort: Sort): Entry[] {
  const by = (f: (row: MemoryRow) => string | number, down: boolean) => (a: Entry, b: Entry) => {
    const [x, y] = [f(a.detail.row), f(b.detail.row)];
    const order = x < y ? -1 : x > y ? 1 : a.detail.row.id < b.detail.row.id ? -1 : 1;
    return down ? -order : order;
  };
  switch (sort) {
    case "updated_desc":
      return entries.sort(by((row) => row.updatedAt, true));
    case "created_desc":
      return entries.sort(by((row) => row.createdAt, true));
    case "created_asc":
      return entries.sort(by((row) => row.createdAt, false));
    case "importance_desc":
      return entries.sort(by((row) => row.importance, true));
  }
}

const FACETS: Facet[] = [
  "curator",
  "tag",
  "source",
  "lifetime",
  "importance",
  "embedding",
  "forgotten",
  "speaker",
];

export function facetCounts(entries: Entry[], filter: MemoryFilter): FacetValues[] {
  return FACETS.map((facet) => {
    const counts = new Map<string, number>();
    const withForgotten: MemoryFilter =
      facet === "forgotten"
        ? { ...filter, terms: [...filter.terms, { facet: "forgotten", value: "any", negated: false }] }
        : filter;
    for (const entry of entries) {
      if (!passes(entry, withForgotten, facet)) continue;
      for (const value of valuesOf(entry, facet)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const values = [...counts].map(([value, count]) => ({ value, count }));
    values.sort((a, b) => b.count - a.count || a.value.localeCompare(b.value));
    return { facet, values };
  }).filter((group) => group.values.length > 0);
}

/** Hand-made "meaning", so that the harness can show a hit without a matching word. */
const ALIKE: Record<string, string[]> = {
  port: ["harbour", "quay"],
  harbor: ["harbour"],
  spell: ["binding", "tide"],
  ritual: ["binding", "custom", "bell"],
  money: ["coin", "crown", "dues"],
};

export function spansOf(text: string, terms: string[]): Span[] {
  const lower = text.toLowerCase();
  const spans: Span[] = [];
  for (const term of terms) {
    for (let at = lower.indexOf(term); at >= 0; at = lower.indexOf(term, at + term.length)) {
      let end = at + term.length;
      while (end < text.length && /\p{L}/u.test(text[end] ?? "")) end += 1;
      spans.push({ start: at, end });
    }
  }
  spans.sort((a, b) => a.start - b.start);
  return spans.filter((span, i) => i === 0 || span.start >= (spans[i - 1]?.end ?? 0));
}

const WEIGHT: Record<ListName, number> = { text: 1, meaning: 1, freshness: 0.3, nearness: 0.3, name: 1 };

function part(list: ListName, rank: number, raw: number): Contribution {
  return { list, rank, raw, weight: WEIGHT[list], score: WEIGHT[list] / (60 + rank) };
}

export function search(
  entries: Entry[],
  { query, limit, first }: SearchRequest,
  hybrid: boolean,
  reason: string | null,
  now: number,
): SearchResponse {
  const terms = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const alike = hybrid ? terms.flatMap((term) => ALIKE[term] ?? []) : [];
  const near = ["conversation", "channel", "workspace", "account"];
  const scored = entries
    .map((entry) => {
      const text = `${entry.detail.row.name ?? ""} ${entry.detail.content}`.toLowerCase();
      const words = terms.filter((term) => text.includes(term)).length;
      const meant = alike.filter((term) => text.includes(term)).length + words * 0.8;
      return { entry, words, meant: hybrid ? meant : 0 };
    })
    .filter((it) => it.words > 0 || it.meant > 0);
  const rank = <T>(list: T[], f: (item: T) => number) =>
    new Map([...list].sort((a, b) => f(b) - f(a)).map((item, i) => [item, i + 1]));
  const text = rank(scored, (it) => it.words);
  const meaning = rank(scored, (it) => it.meant);
  const fresh = rank(scored, (it) => decayTerms(it.entry.detail.row, now).relevance);
  const hits: SearchHit[] = scored.map((it) => {
    const { row, content } = it.entry.detail;
    const contributions: Contribution[] = [];
    if (row.name && query.toLowerCase().includes(row.name.toLowerCase()))
      contributions.push(part("name", 1, 1));
    if (it.words > 0) contributions.push(part("text", text.get(it) ?? 1, it.words * 2.1));
    if (it.meant > 0)
      contributions.push(part("meaning", meaning.get(it) ?? 1, Math.min(0.92, 0.3 + it.meant * 0.2)));
    const terms_ = decayTerms(row, now);
    contributions.push(part("freshness", fresh.get(it) ?? 1, terms_.relevance));
    contributions.push(part("nearness", near.indexOf(row.scope) + 1, -near.indexOf(row.scope)));
    const first = spansOf(content, terms)[0]?.start ?? 0;
    const from = first > 220 ? content.indexOf(" ", first - 60) + 1 : 0;
    const snippet = (from > 0 ? "… " : "") + content.slice(from, from + 320);
    return {
      row,
      score: contributions.reduce((sum, it) => sum + it.score, 0),
      snippet,
      spans: spansOf(snippet, terms),
      explanation: {
        contributions,
        matchedTerms: terms.filter((term) => content.toLowerCase().includes(term)),
        ...terms_,
      },
      folded: [],
    };
  });
  hits.sort((a, b) => b.score - a.score);
  const shown = Math.min(first ?? limit, limit);
  return {
    hits: hits.slice(0, shown),
    more: shown < limit && hits.length > shown,
    mode: hybrid ? "hybrid" : "text",
    modeReason: reason,
    strategy: "rrf",
    tookMs: 2.4,
  };
}
