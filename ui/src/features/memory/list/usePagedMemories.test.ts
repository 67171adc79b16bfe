import { expect, test } from "vitest";
import type { MemoryRow } from "../../../ipc/bindings.gen";
import { splice } from "./usePagedMemories";

const row = (id: string, version = 1) => ({ id, version, updatedAt: `t${version}` }) as MemoryRow;
const ids = (pages: { rows: MemoryRow[] }[]) => pages.map((page) => page.rows.map((it) => it.id).join(""));

const loaded = () => ({
  pages: [
    { rows: [row("a"), row("b")], next: "b" },
    { rows: [row("c"), row("d")], next: "d" },
    { rows: [row("e"), row("f")], next: null },
  ],
  pageParams: [null, "b", "d"],
});

test("a new row at the top removes none from the list", () => {
  const fresh = { rows: [row("x"), row("a"), row("b"), row("c")], next: "c" };
  expect(ids(splice(loaded(), 0, fresh).pages)).toEqual(["xab", "cd", "ef"]);
});

test("a row that changed and moved up is not used as the cut of the list", () => {
  const fresh = { rows: [row("d", 2), row("a"), row("b"), row("c")], next: "c" };
  expect(ids(splice(loaded(), 0, fresh).pages)).toEqual(["dab", "cd", "ef"]);
});

test("a removed row leaves no gap", () => {
  const fresh = { rows: [row("b"), row("c"), row("d"), row("e")], next: "e" };
  expect(ids(splice(loaded(), 0, fresh).pages)).toEqual(["b", "cd", "ef"]);
});

test("after many new rows the rest of the list is read again", () => {
  const fresh = { rows: [row("p"), row("q"), row("r"), row("s")], next: "s" };
  const next = splice(loaded(), 0, fresh);
  expect(ids(next.pages)).toEqual(["pqrs"]);
  expect(next.pageParams).toEqual([null]);
});
