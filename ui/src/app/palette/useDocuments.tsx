import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import { useI18n } from "../../i18n/i18n";
import type { DocumentKind, LensSpec } from "../../ipc/bindings.gen";
import { documentsQuery } from "../../ipc/queries";
import { DocumentBody, DocumentIcon, documentKey } from "./DocumentItem";
import { lensAddress, placeOf, useOpenPlace } from "./places";
import { retryRow } from "./RetryRow";
import { type PaletteGroup, SHOWN } from "./rows";

type Asked = {
  typed: string;
  /** What is asked for: `typed` once typing rests. */
  query: string;
  /** `undefined`: not known yet. */
  lens: LensSpec | null | undefined;
};

/** The documents of one kind that the core finds. Each kind has a search of its own, so that none waits for another. */
function useKind(kind: DocumentKind, { typed, query, lens }: Asked) {
  const isAsked = typed !== "" && query !== "" && lens !== undefined;
  const found = useQuery({
    // One more than is shown tells whether there are others.
    ...documentsQuery(query, kind, lens ?? null, SHOWN + 1),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const isFresh = typed === query && !found.isPlaceholderData && !found.isFetching;
  return { found, isAsked, isFresh, waits: typed !== "" && !isFresh };
}

/** Memories, messages and pages, as far as the lens of the page shows them. */
export function useDocuments(asked: Asked) {
  const { t } = useI18n();
  const navigate = useNavigate();
  const open = useOpenPlace(asked.lens ?? null);
  const memory = useKind("memory", asked);
  const message = useKind("message", asked);
  const page = useKind("page", asked);
  const { typed } = asked;
  const lens = asked.lens ?? null;
  const everything: Record<DocumentKind, (() => void) | null> = {
    memory: () => void navigate({ to: "/memory", search: { q: typed, ...lensAddress(lens) } }),
    // Their lists have no lens: they would show what it withholds.
    message: lens ? null : () => void navigate({ to: "/conversations", search: { q: typed } }),
    page: lens ? null : () => void navigate({ to: "/pages", search: { q: typed } }),
  };
  const group = (kind: DocumentKind, { found, isAsked, isFresh }: ReturnType<typeof useKind>) => {
    const hits = isAsked && !found.isError ? (found.data?.hits ?? []) : [];
    const rows = hits.slice(0, SHOWN).map((hit) => ({
      value: documentKey(hit),
      icon: <DocumentIcon hit={hit} />,
      body: <DocumentBody hit={hit} />,
      run: () => open(placeOf(hit)),
    }));
    const all = everything[kind];
    return {
      id: kind,
      heading: t(`palette.kind.${kind}`),
      isFresh,
      rows: [
        ...rows,
        ...(hits.length > SHOWN && all
          ? [
              {
                value: `all ${kind}`,
                icon: <ArrowRight size={15} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />,
                body: t(`palette.all.${kind}`),
                isMore: true,
                run: all,
              },
            ]
          : []),
        ...(isAsked && found.isError ? [retryRow(kind, found.error, () => void found.refetch(), t)] : []),
      ],
    } satisfies PaletteGroup;
  };
  const kinds = [memory, message, page];
  return {
    groups: [group("memory", memory), group("message", message), group("page", page)],
    waits: kinds.some(({ waits }) => waits),
    modeReason:
      typed === "" ? null : (kinds.map(({ found }) => found.data?.modeReason).find(Boolean) ?? null),
  };
}
