import type { SubjectRow } from "../../ipc/bindings.gen";

/** A word of a name, with what may follow it. */
type Node = {
  /** The next words, each with what parts it from this one. */
  next: Map<string, Node>;
  /** The subject whose name ends here. */
  id: string | null;
};

/** The names and aliases of subjects, word by word. */
export type NameIndex = { root: Node; rows: ReadonlyMap<string, SubjectRow> };

/** Where the name of a subject stands in a text. */
export type FoundName = { start: number; end: number; id: string };

/** As the core splits texts into words (`domain/src/words.rs`): runs of letters, digits and accents. */
const WORD = /[\p{Alphabetic}\p{N}](?:[\p{Alphabetic}\p{N}]|[\u0300-\u036f])*/gu;

/**
 * A character of a script without spaces between words, where a name stands within a run of letters, as the core sees it
 * (`domain/src/unspaced.rs`). Korean has spaces before words, and particles behind them.
 */
const UNSPACED =
  /[\p{sc=Thai}\p{sc=Lao}\p{sc=Myanmar}\p{sc=Khmer}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}\p{sc=Hangul}ー]/u;
const KOREAN = /\p{sc=Hangul}/u;
/** What a run of letters is compared by: single characters of such scripts, and what stands between them. */
const PIECE = new RegExp(`${UNSPACED.source}|(?:(?!${UNSPACED.source}).)+`, "gu");

/** What every address has: a scheme, `www.`, the sign of mail, or a path behind a domain. */
const ADDRESS_SIGN = /:\/\/|www\.|@(?=[^\s@]*\.)|\.[\p{L}\p{N}-]+\//giu;
/** What may stand before that sign. */
const BEFORE_SIGN = /[\p{L}\p{N}._+-]/u;
const BLANK = /\s/g;

/** Stands for a word of an address. No name has it. */
const NONE = "\0";

const fold = (text: string) => text.normalize("NFKC").toLowerCase();

/** What parts two words, with any white space as one blank and one kind of apostrophe. */
const gapOf = (text: string) =>
  text === " " ? text : fold(text).replaceAll(/\s+/g, " ").replaceAll(/[’ʼ]/g, "'");

/** A run of letters, or a piece of one. */
type Word = { start: number; end: number; key: string; unspaced: boolean };

/** Addresses reach to the next blank. Each character is looked at once, also where a text has no blanks. */
function addressesIn(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let last = 0;
  for (const { index } of text.matchAll(ADDRESS_SIGN)) {
    if (index < last) continue;
    let start = index;
    while (start > last && BEFORE_SIGN.test(text[start - 1] ?? "")) start -= 1;
    BLANK.lastIndex = index;
    last = BLANK.exec(text)?.index ?? text.length;
    found.push({ start, end: last });
  }
  return found;
}

function wordsOf(text: string): Word[] {
  const addresses = addressesIn(text);
  const words: Word[] = [];
  let next = 0;
  for (const match of text.matchAll(WORD)) {
    const start = match.index;
    const end = start + match[0].length;
    while ((addresses[next]?.end ?? Infinity) <= start) next += 1;
    if ((addresses[next]?.start ?? Infinity) <= start) {
      words.push({ start, end, key: NONE, unspaced: false });
    } else {
      for (const { 0: piece, index } of match[0].matchAll(PIECE))
        words.push({
          start: start + index,
          end: start + index + piece.length,
          key: fold(piece),
          unspaced: UNSPACED.test(piece),
        });
    }
  }
  return words;
}

/** The key of a word behind another one. */
const keyAfter = (text: string, before: Word, word: Word) =>
  gapOf(text.slice(before.end, word.start)) + word.key;

function add(root: Node, name: string, id: string): void {
  let node = root;
  let before: Word | null = null;
  for (const word of wordsOf(name)) {
    const key: string = before === null ? word.key : keyAfter(name, before, word);
    let following = node.next.get(key);
    if (!following) {
      following = { next: new Map(), id: null };
      node.next.set(key, following);
    }
    node = following;
    before = word;
  }
  if (node !== root) node.id ??= id;
}

/** An index of the names of subjects. Names come before aliases, and the first of two equal ones stays. */
export function nameIndex(rows: readonly SubjectRow[]): NameIndex {
  const root: Node = { next: new Map(), id: null };
  for (const row of rows) add(root, row.name, row.id);
  for (const row of rows) for (const alias of row.aliases) add(root, alias, row.id);
  return { root, rows: new Map(rows.map((row) => [row.id, row])) };
}

/** Whether a name may begin and end with these of the words. */
function isWhole(words: readonly Word[], first: number, last: number): boolean {
  const [begin, end] = [words[first], words[last]];
  if (!begin || !end) return false;
  const isSingle = first === last;
  const standsBefore = words[first - 1]?.end !== begin.start;
  const standsBehind = words[last + 1]?.start !== end.end;
  const runsBefore = !isSingle && begin.unspaced && !KOREAN.test(begin.key);
  return (standsBefore || runsBefore) && (standsBehind || (!isSingle && end.unspaced));
}

/** The names that stand in a text as whole words, in any case, the longest at each place, none in an address. */
export function namesIn(text: string, { root }: NameIndex): FoundName[] {
  if (root.next.size === 0) return [];
  const words = wordsOf(text);
  const found: FoundName[] = [];
  let at = 0;
  while (at < words.length) {
    const first = words[at] as Word;
    let node = root.next.get(first.key);
    let last = at;
    let longest: { last: number; id: string } | null = null;
    while (node) {
      if (node.id !== null && isWhole(words, at, last)) longest = { last, id: node.id };
      const word = words[last] as Word;
      const following = words[last + 1];
      if (!following || node.next.size === 0) break;
      node = node.next.get(keyAfter(text, word, following));
      last += 1;
    }
    if (longest) found.push({ start: first.start, end: (words[longest.last] as Word).end, id: longest.id });
    at = (longest?.last ?? at) + 1;
  }
  return found;
}

const ANY_WORD = /[\p{Alphabetic}\p{N}]/u;

/** The subject that a whole text names, if it does. */
export function wholeName(text: string, index: NameIndex): string | null {
  const [found] = namesIn(text, index);
  if (!found || ANY_WORD.test(text.slice(0, found.start) + text.slice(found.end))) return null;
  return found.id;
}

/** Whether two names are the same, as names are compared in a text. */
export function isNameOf(own: string, text: string): boolean {
  const root: Node = { next: new Map(), id: null };
  add(root, own, own);
  return wholeName(text, { root, rows: new Map() }) !== null;
}

const indexes = new WeakMap<readonly SubjectRow[], NameIndex>();

/** The index of an answer of the core, made once for all texts that are shown. */
export function indexOf(rows: readonly SubjectRow[]): NameIndex {
  const known = indexes.get(rows);
  if (known) return known;
  const index = nameIndex(rows);
  indexes.set(rows, index);
  return index;
}
