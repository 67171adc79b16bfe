import type { SavedView } from "../../../ipc/bindings.gen";
import { filterOf, formatTerm, type MemoryView } from "../view";

/** As long as a name may be. */
export const NAME_LENGTH = 120;

/** What is searched for and how it is narrowed and sorted: the address of the page but for the memory that is open. */
export type SearchedView = Omit<MemoryView, "id" | "own">;

/** What of a view is saved. */
export const savedView = (view: MemoryView): SavedView => ({
  query: view.q || null,
  filter: filterOf(view),
  sort: view.sort ?? null,
});

/** The address of what was saved. */
export function searchedView({ query, filter, sort }: SavedView): SearchedView {
  const given = {
    scope: filter.scope,
    channel: filter.channelId,
    conversation: filter.conversationId,
    q: query,
    f: filter.terms.length > 0 ? filter.terms.map(formatTerm) : null,
    sort,
    as: filter.lens?.knower,
    by: filter.lens?.at,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value != null));
}

export const isSameSearch = (a: MemoryView, b: MemoryView): boolean =>
  JSON.stringify(savedView(a)) === JSON.stringify(savedView(b));

/** True for the page as it opens: there is nothing to save. */
export const isPlain = (view: MemoryView): boolean => isSameSearch(view, {});
