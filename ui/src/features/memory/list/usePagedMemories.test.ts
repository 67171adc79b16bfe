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

test("a row that appears at the top pushes none out of the list", () => {
  const fresh = { rows: [row("x"), row("a"), row("b"), row("c")], next: "c" };
  expect(ids(splice(loaded(), 0, fresh).pages)).toEqual(["xab", "cd", "ef"]);
});

test("a row that changed and moved up is no landmark for the cut", () => {
  const fresh = { rows: [row("d", 2), row("a"), row("b"), row("c")], next: "c" };
  expect(ids(splice(loaded(), 0, fresh).pages)).toEqual(["dab", "cd", "ef"]);
});

test("a row that is gone leaves no hole", () => {
  const fresh = { rows: [row("b"), row("c"), row("d"), row("e")], next: "e" };
  expect(ids(splice(loaded(), 0, fresh).pages)).toEqual(["b", "cd", "ef"]);
});

test("after a flood of new rows the rest is read again instead of guessed", () => {
  const fresh = { rows: [row("p"), row("q"), row("r"), row("s")], next: "s" };
  const next = splice(loaded(), 0, fresh);
  expect(ids(next.pages)).toEqual(["pqrs"]);
  expect(next.pageParams).toEqual([null]);
});
