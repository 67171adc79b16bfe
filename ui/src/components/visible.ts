/**
 * Characters that a model reads and nobody sees, written out (`‹U+E0041›`). The rule is that of `domain/src/hidden.rs`, which
 * also says what is left alone: joiners, direction marks and isolates, one selector behind its character, flags of regions.
 * Its table is generated; the test goes through texts that the rule itself has shown.
 */

import { FLAG_TAGS, MOST_TAGS, NEVER_WRITTEN, OTHERS, RUN, SELECTORS, TAGS } from "./hidden.gen";

type Ranges = readonly (readonly [number, number])[];

const tag = FLAG_TAGS.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join("");
const FLAG = new RegExp(`\\u{1F3F4}[${tag}]{1,${MOST_TAGS}}\\u{E007F}`, "uy");
const among = (ranges: Ranges, c: string) => {
  const code = c.codePointAt(0) ?? 0;
  return ranges.some(([from, to]) => code >= from && code <= to);
};
const invisible = (c: string) => [TAGS, SELECTORS, NEVER_WRITTEN, OTHERS].some((ranges) => among(ranges, c));

/** Which offsets of a text begin a hidden character, each with its length. */
export function hidden(text: string): Map<number, number> {
  const found = new Map<number, number>();
  let run: [number, number][] = [];
  let before = "";
  let at = 0;
  while (at < text.length) {
    FLAG.lastIndex = at;
    const flag = FLAG.exec(text);
    if (flag) {
      at += flag[0].length;
      before = "\u{1F3F4}";
      run = [];
      continue;
    }
    const c = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (invisible(c)) run.push([at, c.length]);
    else run = [];
    const stray =
      among(SELECTORS, c) && (before === "" || among(SELECTORS, before) || /\p{White_Space}/u.test(before));
    if (among(TAGS, c) || among(NEVER_WRITTEN, c) || stray) found.set(at, c.length);
    if (run.length >= RUN) for (const [place, length] of run) found.set(place, length);
    before = c;
    at += c.length;
  }
  return found;
}

/** A hidden character, written out. */
export const written = (c: string) =>
  `‹U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}›`;

/** A text with its hidden characters written out. Plain texts come back as they are. */
export function visible(text: string): string {
  const marks = hidden(text);
  if (marks.size === 0) return text;
  let shown = "";
  for (let at = 0; at < text.length; ) {
    const length = marks.get(at) ?? 0;
    shown += length > 0 ? written(text.slice(at, at + length)) : text[at];
    at += Math.max(length, 1);
  }
  return shown;
}
