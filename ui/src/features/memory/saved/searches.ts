import { z } from "zod";
import { worldList } from "../../../preferences/worldList";
import { type MemoryView, memoryView } from "../view";

/** What is searched for and how it is narrowed and sorted: the address of the page but for the memory that is open. */
const searched = memoryView.omit({ id: true });
export type SearchedView = z.infer<typeof searched>;

/** As long as a name may be. */
export const NAME_LENGTH = 80;

const savedSearch = z.object({ name: z.string().min(1).max(NAME_LENGTH), view: searched });
export type SavedSearch = z.infer<typeof savedSearch>;

const list = worldList("searches", savedSearch);

/** The saved searches of a world in their order, each under a name of its own. */
export const useSavedSearches = list.use;

const isCalled = (name: string) => (search: SavedSearch) => search.name.toLowerCase() === name.toLowerCase();

/** The part of a view that is saved. */
export const searchedView = (view: MemoryView): SearchedView => searched.parse(view);

const textOf = (view: MemoryView) => {
  const given = Object.entries(searchedView(view)).filter(([, value]) => value !== undefined);
  return JSON.stringify(given.sort(([a], [b]) => a.localeCompare(b)));
};

export const isSameSearch = (a: MemoryView, b: MemoryView): boolean => textOf(a) === textOf(b);

/** True for the page as it opens: there is nothing to save. */
export const isPlain = (view: MemoryView): boolean => isSameSearch(view, {});

/** Adds a search at the end. False: there is one of that name. */
export function saveSearch(world: string, name: string, view: MemoryView): boolean {
  const before = list.read(world);
  if (before.some(isCalled(name))) return false;
  list.write(world, [...before, { name, view: searchedView(view) }]);
  return true;
}

/** False: there is another one of that name. */
export function renameSearch(world: string, from: string, to: string): boolean {
  const before = list.read(world);
  if (before.some((it) => it.name !== from && isCalled(to)(it))) return false;
  list.write(
    world,
    before.map((it) => (it.name === from ? { ...it, name: to } : it)),
  );
  return true;
}

/** Removes a search. What it gives puts it back where it was. */
export function removeSearch(world: string, name: string): () => void {
  const before = list.read(world);
  const at = before.findIndex((it) => it.name === name);
  const [removed] = before.slice(at, at + 1);
  list.write(
    world,
    before.filter((it) => it.name !== name),
  );
  return () => {
    const now = list.read(world);
    if (removed && !now.some(isCalled(name))) list.write(world, now.toSpliced(at, 0, removed));
  };
}

/** Moves a search up or down by one. Gives its new place from 1, or null if it stays. */
export function moveSearch(world: string, name: string, by: 1 | -1): number | null {
  const before = list.read(world);
  const at = before.findIndex((it) => it.name === name);
  const moved = before[at];
  const to = at + by;
  if (!moved || to < 0 || to >= before.length) return null;
  list.write(world, before.toSpliced(at, 1).toSpliced(to, 0, moved));
  return to + 1;
}
