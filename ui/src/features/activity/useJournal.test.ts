import { expect, test } from "vitest";
import type { JournalView } from "../../ipc/bindings.gen";
import { grown } from "./useJournal";

const row = (changeId: string, undoes: string | null = null): JournalView => ({
  changeId,
  scope: "workspace",
  action: undoes ? "undo" : "edit",
  actorKind: "author",
  interface: "window",
  runId: null,
  at: "2026-01-10T12:00:00Z",
  entries: 1,
  undoes,
  undoneBy: null,
});
const page = (rows: JournalView[], next: string | null = "c") => ({ rows, next });
const loaded = { pages: [page([row("b"), row("a")])], pageParams: [null] };

test("new changes are on top, and an undo names what it undoes", () => {
  const fresh = page([row("c", "a"), row("b"), row("a")]);
  const next = grown(loaded, fresh, fresh);
  expect(next?.pages[0]?.rows.map((it) => [it.changeId, it.undoneBy])).toEqual([
    ["c", null],
    ["b", null],
    ["a", "c"],
  ]);
});

test("a change undone by another actor is marked, though that actor is filtered out", () => {
  const next = grown(loaded, page([row("b"), row("a")]), page([row("d", "b")]));
  expect(next?.pages[0]?.rows.map((it) => it.undoneBy)).toEqual(["d", null]);
});

test("when more is new than one page shows, the list is loaded again", () => {
  const fresh = page([row("z"), row("y")]);
  expect(grown(loaded, fresh, fresh)).toBeNull();
});
