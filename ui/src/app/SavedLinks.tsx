import { Link, useNavigate, useRouterState } from "@tanstack/react-router";
import { Bookmark } from "lucide-react";
import { useMemo } from "react";
import { type Action, useActions } from "../components/actions";
import { isSameSearch } from "../features/memory/saved/searches";
import { useSavedSearches } from "../features/memory/saved/useSavedSearches";
import { useI18n } from "../i18n/i18n";

/** As many as the rail has room for. All of them are in the list next to the search field. */
const MOST = 6;

/** The saved searches of the world in the rail, and in the palette. */
export function SavedLinks() {
  const { t } = useI18n();
  const navigate = useNavigate();
  const searches = useSavedSearches();
  const { pathname, search: address } = useRouterState({ select: (state) => state.location });
  useActions(
    useMemo(
      () =>
        searches.map(
          ({ id, name, view }): Action => ({
            id: `search.open.${id}`,
            group: "memory",
            label: t("saved.command", { name }),
            icon: <Bookmark size={15} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />,
            run: () => void navigate({ to: "/memory", search: view }),
          }),
        ),
      [searches, navigate, t],
    ),
  );
  if (searches.length === 0) return null;
  return (
    <ul aria-label={t("saved.title")} className="mb-1 flex flex-col">
      {searches.slice(0, MOST).map(({ id, name, view }) => {
        const isOpen = pathname === "/memory" && isSameSearch(view, address);
        return (
          <li key={id}>
            <Link
              to="/memory"
              // With the memory that is open the search is still the same.
              search={isOpen ? { ...view, id: address.id } : view}
              activeOptions={{ exact: true, includeSearch: true }}
              title={name}
              className="flex h-7 items-center rounded-md pr-2 pl-9 text-ui text-ink-2 hover:bg-hover hover:text-ink aria-[current=page]:text-accent"
            >
              <span className="truncate">{name}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
