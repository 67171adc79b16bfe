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
const BLANKS = /\s+/;

/** A typed word: where it begins a word of a name, and where it is at all. */
type Typed = { begins: RegExp; within: RegExp | null };

/** Made once for all names that are compared with the same text. */
let last: { typed: string; words: Typed[] } = { typed: "", words: [] };

function wordsOf(typed: string): Typed[] {
  if (last.typed === typed) return last.words;
  const words = typed.split(BLANKS).flatMap((word): Typed[] => {
    if (word === "") return [];
    const pattern = escaped(word);
    return [
      {
        begins: new RegExp(`(?<![\\p{L}\\p{N}])${pattern}`, "iu"),
        within: word.length < SHORTEST_WITHIN ? null : new RegExp(pattern, "iu"),
      },
    ];
  });
  last = { typed, words };
  return words;
}

/** Where a typed word is in a name: as the beginning of a word, or else anywhere. */
function find(name: string, { begins, within }: Typed): { span: Span; isBeginning: boolean } | null {
  const beginning = begins.exec(name);
  const hit = beginning ?? within?.exec(name);
  if (!hit) return null;
  return { span: { start: hit.index, end: hit.index + hit[0].length }, isBeginning: beginning !== null };
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
  const words = wordsOf(typed);
  if (words.length === 0) return null;
  const found = words.map((word) => find(name, word));
  const spans = found.flatMap((it) => (it ? [it.span] : []));
  if (spans.length < words.length) return null;
  const [lower, wanted] = [name.toLowerCase(), typed.trim().replaceAll(/\s+/g, " ").toLowerCase()];
  const score = !found.every((it) => it?.isBeginning)
    ? WITHIN
    : lower === wanted
      ? EXACT
      : lower.startsWith(wanted)
        ? BEGINS
        : WORD;
  return { score, spans: ordered(spans) };
}
