import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useToasts } from "../../../components/toast";
import { useI18n } from "../../../i18n/i18n";
import type { SavedSearch } from "../../../ipc/bindings.gen";
import { core } from "../../../ipc/client";
import { hasCode, toCommandError } from "../../../ipc/errors";
import { keys } from "../../../ipc/keys";
import { savedSearchesQuery } from "../../../ipc/queries";
import type { MemoryView } from "../view";
import { type SearchedView, savedView, searchedView } from "./searches";

/** A saved search with the address of what it looks for. */
export type NamedSearch = { id: string; name: string; view: SearchedView };

const NONE: NamedSearch[] = [];
const addressed = (searches: SavedSearch[]): NamedSearch[] =>
  searches.map(({ id, name, view }) => ({ id, name, view: searchedView(view) }));

/** The saved searches of the world in their order. */
export const useSavedSearches = (): NamedSearch[] =>
  useQuery({ ...savedSearchesQuery, select: addressed }).data ?? NONE;

/** What can be done to saved searches. Each answer of the core is the list as it stands after the change. */
export function useSavedSearchWrites() {
  const { t } = useI18n();
  const client = useQueryClient();
  const { undoable, failed } = useToasts();
  return useMemo(() => {
    const write = async (change: Promise<SavedSearch[]>) => {
      client.setQueryData<SavedSearch[]>(keys.savedSearches, await change);
    };
    /** What is wrong, to be shown at the name, or null. */
    const named = async (change: Promise<SavedSearch[]>): Promise<string | null> => {
      try {
        await write(change);
        return null;
      } catch (error) {
        if (hasCode(error, "already_exists")) return t("saved.taken");
        return toCommandError(error).message;
      }
    };
    return {
      save: (name: string, view: MemoryView) => named(core.saveSearch(name, savedView(view), null)),
      rename: (id: string, name: string) => named(core.renameSavedSearch(id, name)),
      /** True if it was moved. */
      move: async (id: string, place: number): Promise<boolean> => {
        try {
          await write(core.moveSavedSearch(id, place));
          return true;
        } catch (error) {
          failed(error);
          return false;
        }
      },
      remove: async ({ id, name, view }: NamedSearch, place: number) => {
        try {
          await write(core.removeSavedSearch(id));
          undoable(t("saved.removed", { name }), () => write(core.saveSearch(name, savedView(view), place)));
        } catch (error) {
          failed(error);
        }
      },
    };
  }, [t, client, undoable, failed]);
}
