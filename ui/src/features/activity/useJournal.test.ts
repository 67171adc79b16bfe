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

test("what is new stands on top, and what it takes back says so", () => {
  const fresh = page([row("c", "a"), row("b"), row("a")]);
  const next = grown(loaded, fresh, fresh);
  expect(next?.pages[0]?.rows.map((it) => [it.changeId, it.undoneBy])).toEqual([
    ["c", null],
    ["b", null],
    ["a", "c"],
  ]);
});

test("a change of one hand taken back by another is marked, though the other is not listed", () => {
  const next = grown(loaded, page([row("b"), row("a")]), page([row("d", "b")]));
  expect(next?.pages[0]?.rows.map((it) => it.undoneBy)).toEqual(["d", null]);
});

test("where more is new than one page shows, the list begins afresh", () => {
  const fresh = page([row("z"), row("y")]);
  expect(grown(loaded, fresh, fresh)).toBeNull();
});
