import { expect, test } from "vitest";
import type { SubjectRow } from "../../ipc/bindings.gen";
import { isNameOf, nameIndex, namesIn, wholeName } from "./nameIndex";

const subject = (name: string, ...aliases: string[]): SubjectRow => ({
  id: name,
  kind: "character",
  name,
  aliases,
  hasText: true,
  links: 0,
  updatedAt: "2026-01-01T00:00:00Z",
});

/** What is found in a text, each with the subject that it leads to. */
const found = (text: string, ...rows: SubjectRow[]) =>
  namesIn(text, nameIndex(rows)).map(({ start, end, id }) => [text.slice(start, end), id]);

test("names and aliases are found in any case", () => {
  const mira = subject("Mira", "The Ferrywoman");
  expect(found("MIRA met the ferrywoman, and mira left.", mira)).toEqual([
    ["MIRA", "Mira"],
    ["the ferrywoman", "Mira"],
    ["mira", "Mira"],
  ]);
});

test("only whole words are names", () => {
  expect(found("Admiral Miranda saw miracles", subject("Mira"), subject("Anda"))).toEqual([]);
  expect(found("Mira's boat, Mira’s oar, (Mira) and Mira-like", subject("Mira"))).toHaveLength(4);
  expect(found("Mira2 and 2Mira", subject("Mira"))).toEqual([]);
});

test("the longest name at a place wins, also where it is found late", () => {
  const rows = [
    subject("Quay"),
    subject("Quay Council"),
    subject("Council"),
    subject("Quay Council Hall Door"),
  ];
  expect(found("the Quay Council Hall burned", ...rows)).toEqual([["Quay Council", "Quay Council"]]);
  expect(found("the quay and the council", ...rows)).toEqual([
    ["quay", "Quay"],
    ["council", "Council"],
  ]);
  expect(found("Quay Council Hall Door", ...rows)).toEqual([
    ["Quay Council Hall Door", "Quay Council Hall Door"],
  ]);
});

test("where words have no spaces between them, a name stands within a run of letters", () => {
  const rows = [subject("王小明"), subject("ミラ"), subject("มีรา"), subject("미라"), subject("Dr王")];
  expect(found("王小明住在哪里？门前是王小明", ...rows).map(([, id]) => id)).toEqual(["王小明", "王小明"]);
  expect(found("ミラは門を守る", ...rows)).toEqual([["ミラ", "ミラ"]]);
  expect(found("มีราอยู่ที่ไหน", ...rows)).toEqual([["มีรา", "มีรา"]]);
  expect(found("미라는 어디에 살아요? 그미라", ...rows)).toEqual([["미라", "미라"]]);
  expect(found("ask Dr王小", ...rows)).toEqual([["Dr王", "Dr王"]]);
  expect(found("国王住在哪里, XDr王", subject("王"), subject("Dr王"))).toEqual([]);
  expect(wholeName("王", nameIndex([subject("王")]))).toBe("王");
});

test("words of any script are words", () => {
  const rows = [subject("Łucja"), subject("Jórunn"), subject("Ёлка"), subject("Θησεύς")];
  expect(found("łucja, ŁUCJA; JÓRUNN! ёлка? ΘΗΣΕΎΣ.", ...rows).map(([, id]) => id)).toEqual([
    "Łucja",
    "Łucja",
    "Jórunn",
    "Ёлка",
    "Θησεύς",
  ]);
  expect(found("ucja Jó runn Jórunna", ...rows)).toEqual([]);
});

test("an accent behind its letter is the letter with it, and not the letter without", () => {
  const text = "Jo\u0301runn came";
  expect(found(text, subject("Jórunn"))).toEqual([["Jo\u0301runn", "Jórunn"]]);
  expect(found("Rose\u0301 wine", subject("Rose"))).toEqual([]);
});

test("white space and apostrophes within a name may differ, other signs may not", () => {
  const rows = [subject("Anselm Rook"), subject("O'Brien"), subject("Salt-Mere")];
  expect(found("Anselm\n  Rook and O’Brien in salt-mere", ...rows)).toHaveLength(3);
  expect(found("Anselm. Rook and O Brien in salt mere", ...rows)).toEqual([]);
});

test("no name is found in an address", () => {
  const text = "https://mira.example/Mira www.mira.org mira@sea.example Mira.example/mira ftp://a/Mira";
  expect(found(text, subject("Mira"))).toEqual([]);
  expect(found(`Mira ${text} Mira`, subject("Mira"))).toHaveLength(2);
  expect(found("She saw Mira.Mira saw her/Mira", subject("Mira"))).toHaveLength(3);
});

test("a name comes before an equal alias, and a name of signs alone is none", () => {
  expect(found("Ash", subject("Ember", "Ash"), subject("Ash"))).toEqual([["Ash", "Ash"]]);
  expect(found("!!! ...", subject("!!!"))).toEqual([]);
  expect(found("", subject("Mira"))).toEqual([]);
  expect(found("Mira")).toEqual([]);
});

/** Numbers in a fixed order that look like chance. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const PARTS = ["mira", "Łucja", "rook", "the", "Quay", "a", "Jórunn", "7"];

test("of many texts: what is found is a name, in order, and nothing that could be found is missed", () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const below = chance(seed);
    const some = (most: number, gaps: string[]) =>
      Array.from({ length: 1 + below(most) }, () => PARTS[below(PARTS.length)]).reduce(
        (text, part) => `${text}${text && gaps[below(gaps.length)]}${part}`,
        "",
      ) ?? "";
    const rows = Array.from({ length: 1 + below(6) }, () => subject(some(3, [" "])));
    const text = some(30, [" ", " ", ", ", "\n", "-"]);
    const names = rows.map((row) => row.name.toLowerCase());
    let last = 0;
    for (const { start, end, id } of namesIn(text, nameIndex(rows))) {
      const plain = (from: number, to: number) => text.slice(from, to).toLowerCase().replaceAll("\n", " ");
      expect(plain(start, end)).toBe(id.toLowerCase());
      expect(start).toBeGreaterThanOrEqual(last);
      for (const name of names) {
        const isWord = (at: number) => !/[\p{L}\p{N}]/u.test(text[at] ?? " ");
        // None before it was passed over, and none at its place is longer.
        for (let at = last; at < start; at += 1)
          expect(plain(at, at + name.length) === name && isWord(at - 1) && isWord(at + name.length)).toBe(
            false,
          );
        const isLonger = name.length > end - start && plain(start, start + name.length) === name;
        expect(isLonger && isWord(start + name.length)).toBe(false);
      }
      last = end;
    }
  }
});

test("a long text is read once, however many names there are and however many begin alike", () => {
  const rows = Array.from({ length: 5000 }, (_, n) => subject(`The ${n} of Quay ${n % 7}`, `Alias${n} Rook`));
  const text = "The 17 of Quay 3 met the quay of Alias4999 Rook, the 99 of nothing. ".repeat(1500);
  const begun = performance.now();
  const index = nameIndex(rows);
  expect(namesIn(text, index)).toHaveLength(3000);
  // Neither blanks nor addresses are there to stop at.
  expect(namesIn(`${"海".repeat(200_000)}@${"海.".repeat(100_000)}`, index)).toEqual([]);
  // Far above the 50 ms that it takes: a pass over all names for each word would take minutes.
  expect(performance.now() - begun).toBeLessThan(2000);
});

test("a text names a subject as a whole or not at all", () => {
  const index = nameIndex([subject("Mira", "The Ferrywoman"), subject("Mira (young)")]);
  expect(wholeName("the ferrywoman", index)).toBe("Mira");
  expect(wholeName("Mira (young)", index)).toBe("Mira (young)");
  expect(wholeName("Mira Vale", index)).toBeNull();
  expect(wholeName("Old Mira", index)).toBeNull();
  expect(isNameOf("The Salt Road", "the salt  road")).toBe(true);
  expect(isNameOf("The Salt Road", "Salt Road")).toBe(false);
});
