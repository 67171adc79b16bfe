import type { Span } from "../ipc/bindings.gen";

/** How well a name matches what is typed, and where its words are. */
export type Match = { score: number; spans: Span[] };

/** A shorter word only counts where a word begins, or every name would match. */
const SHORTEST_WITHIN = 3;

const EXACT = 4;
const BEGINS = 3;
const WORD = 2;
const WITHIN = 1;

const escaped = (word: string) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
const blanks = /\s+/;

/** Where a typed word is in a name: as the beginning of a word, or else anywhere. */
function find(name: string, word: string): { span: Span; isBeginning: boolean } | null {
  const begins = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}`, "iu").exec(name);
  const hit = begins ?? (word.length < SHORTEST_WITHIN ? null : new RegExp(escaped(word), "iu").exec(name));
  if (!hit) return null;
  return { span: { start: hit.index, end: hit.index + hit[0].length }, isBeginning: begins !== null };
}

/** Spans in order, without those that overlap an earlier one. */
function ordered(spans: Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end))
    if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span);
  return kept;
}

/** Matches a name that the window lists, such as a channel: every typed word must be in it. */
export function matchName(name: string, typed: string): Match | null {
  const words = typed.split(blanks).filter((word) => word !== "");
  if (words.length === 0) return null;
  const found = words.map((word) => find(name, word));
  const spans = found.flatMap((it) => (it ? [it.span] : []));
  if (spans.length < words.length) return null;
  const [lower, wanted] = [name.toLowerCase(), words.join(" ").toLowerCase()];
  const score = !found.every((it) => it?.isBeginning)
    ? WITHIN
    : lower === wanted
      ? EXACT
      : lower.startsWith(wanted)
        ? BEGINS
        : WORD;
  return { score, spans: ordered(spans) };
}
