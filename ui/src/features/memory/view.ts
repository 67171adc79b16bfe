import { getRouteApi } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { z } from "zod";
import { lensFields, lensOf } from "../../components/lens/address";
import type { Facet, FacetTerm, LensSpec, MemoryFilter, Scope, Sort } from "../../ipc/bindings.gen";

const FACETS = [
  "source",
  "curator",
  "lifetime",
  "tag",
  "importance",
  "embedding",
  "forgotten",
  "speaker",
] as const;
const SORTS = ["updated_desc", "created_desc", "created_asc", "importance_desc"] as const;

const optional = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

/** The whole state of the Memory page that Back and a link should bring back. */
export const memoryView = z.object({
  scope: optional(z.enum(["account", "workspace", "channel", "conversation"])),
  channel: optional(z.string().max(100)),
  conversation: optional(z.string().max(100)),
  q: optional(z.string().max(10_000)),
  /** Facet terms: `tag:plot`, and `-tag:plot` for "not". */
  f: optional(z.array(z.string().max(500)).max(50)),
  sort: optional(z.enum(SORTS)),
  ...lensFields,
  id: optional(z.string().max(100)),
  /** Only what is open is shown, without rail and list: it has a window of its own. */
  own: optional(z.literal(true)),
});

export type MemoryView = z.infer<typeof memoryView>;

export const SORT_ORDER: readonly Sort[] = SORTS;

export function parseTerm(text: string): FacetTerm | null {
  const match = /^(-?)([a-z]+):(.*)$/s.exec(text);
  const facet = FACETS.find((it) => it === match?.[2]);
  if (!match || !facet) return null;
  return { facet, value: match[3] ?? "", negated: match[1] === "-" };
}

export function formatTerm(term: FacetTerm): string {
  return `${term.negated ? "-" : ""}${term.facet}:${term.value}`;
}

export function sameTerm(a: FacetTerm, facet: Facet, value: string): boolean {
  return a.facet === facet && a.value === value;
}

export function filterOf(view: MemoryView): MemoryFilter {
  const terms = (view.f ?? []).map(parseTerm).filter((term) => term !== null);
  const inChannel = view.scope === "channel" || view.scope === "conversation";
  return {
    scope: view.scope ?? null,
    channelId: inChannel ? (view.channel ?? null) : null,
    conversationId: view.conversation ?? null,
    terms,
    lens: lensOf(view),
  };
}

const route = getRouteApi("/memory");

export type Go = (patch: Partial<MemoryView>, options?: { replace?: boolean }) => void;

/** Reads the view from the address, and changes it there. */
export function useView() {
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const go: Go = useCallback(
    (patch, options) => {
      void navigate({ search: (old) => ({ ...old, ...patch }), replace: options?.replace ?? false });
    },
    [navigate],
  );
  // The address is the key: equal addresses must give the same filter object to queries.
  const { scope, channel, conversation, f, as, by } = view;
  const filter = useMemo(
    () => filterOf({ scope, channel, conversation, f, as, by }),
    [scope, channel, conversation, f, as, by],
  );
  const setTerms = useCallback(
    (terms: FacetTerm[]) => go({ f: terms.length > 0 ? terms.map(formatTerm) : undefined }),
    [go],
  );
  const setScope = useCallback(
    (next: Scope | undefined) => go({ scope: next, channel: undefined, conversation: undefined }),
    [go],
  );
  const setLens = useCallback(
    (lens: LensSpec | null) => go({ as: lens?.knower ?? undefined, by: lens?.at ?? undefined }),
    [go],
  );
  return { view, filter, go, setTerms, setScope, setLens };
}
