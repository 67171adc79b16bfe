/**
 * Characters that a model reads and nobody sees, written out (`‹U+E0041›`). The rule is that of `domain/src/hidden.rs`, which
 * also says what is left alone: joiners, direction marks and isolates, one selector behind its character, flags of regions.
 */

const RUN = 3;
const FLAG = /\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,6}\u{E007F}/uy;

type Ranges = readonly (readonly [number, number])[];
const TAGS: Ranges = [[0xe0000, 0xe007f]];
const SELECTORS: Ranges = [
  [0xfe00, 0xfe0f],
  [0xe0100, 0xe01ef],
  [0x180b, 0x180d],
  [0x180f, 0x180f],
];
const NEVER: Ranges = [
  [0x202d, 0x202e],
  [0x206a, 0x206f],
  [0xfff9, 0xfffb],
];
const OTHERS: Ranges = [
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x202a, 0x202c],
  [0x2060, 0x2069],
  [0x3164, 0x3164],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
];

const among = (ranges: Ranges, c: string) => {
  const code = c.codePointAt(0) ?? 0;
  return ranges.some(([from, to]) => code >= from && code <= to);
};
const invisible = (c: string) => [TAGS, SELECTORS, NEVER, OTHERS].some((ranges) => among(ranges, c));

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
    const stray = among(SELECTORS, c) && (before === "" || among(SELECTORS, before) || /\s/.test(before));
    if (among(TAGS, c) || among(NEVER, c) || stray) found.set(at, c.length);
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
