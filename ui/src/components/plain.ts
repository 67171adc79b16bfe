import type { Span } from "../ipc/bindings.gen";
import { hidden, written } from "./visible";

/**
 * What markdown adds around words: fences and rules, heading and quote marks, list bullets with their boxes, links and
 * pictures around their text, wiki links around what they show, backslashes, emphasis, code ticks.
 */
const MARKS = new RegExp(
  [
    /^[ \t]*(?:`{3,}|~{3,})[^\n]*$/,
    /^[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/,
    /^[ \t]{0,3}(?:(?:#{1,6}|>|[-*+]|\d+\.)[ \t]+)+(?:\[[ xX]\][ \t]+)?/,
    /!?\[\[(?:[^[\]|\n]*\|)?(?=[^[\]\n]+\]\])/,
    /(?<=\[\[[^[\]\n]*)\]\]/,
    /!?\[(?=[^\]\n]*\]\([^)\n]*\))/,
    /(?<=\[[^\]\n]*)\]\([^)\n]*\)/,
    /\\(?=[\\`*_{}[\]()#+.!>~|-])/,
    /\*\*|__|~~|`/,
    /(?<![\p{L}\p{N}\\])[*_](?=\S)|(?<=[^\s\\])[*_](?![\p{L}\p{N}])/u,
  ]
    .map((it) => it.source)
    .join("|"),
  "gmu",
);

/** How many letters at the begin of a text are a heading that only repeats its name. */
function nameAhead(source: string, name: string | null): number {
  if (name === null) return 0;
  const text = source.trimStart();
  const heading = `# ${name}\n`;
  const isAhead = text.toLowerCase().startsWith(heading.toLowerCase());
  return isAhead ? source.length - text.length + heading.length : 0;
}

/** A text without a heading that only repeats its name, for where the name stands above it. */
export const withoutName = (source: string, name: string | null): string =>
  source.slice(nameAhead(source, name));

export type Plain = { text: string; spans: Span[] };

/**
 * A text without its markdown marks, for a preview of two lines, with the spans moved along. The name, when the text
 * opens with it as a heading, goes too: the row already shows it.
 */
export function plain(source: string, spans: readonly Span[] = [], name: string | null = null): Plain {
  // Where each kept character of the source went.
  const moved = new Int32Array(source.length + 1).fill(-1);
  const cuts: [number, number][] = [];
  const skip = nameAhead(source, name);
  if (skip > 0) cuts.push([0, skip]);
  for (const match of source.matchAll(MARKS)) {
    if (match.index >= skip) cuts.push([match.index, match.index + match[0].length]);
  }
  const marks = hidden(source);
  let text = "";
  let next = 0;
  for (let at = 0; at < source.length; at += 1) {
    while (next < cuts.length && at >= (cuts[next]?.[1] ?? 0)) next += 1;
    const cut = cuts[next];
    if (cut && at >= cut[0] && at < cut[1]) continue;
    const unseen = marks.get(at);
    if (unseen !== undefined) {
      moved.fill(text.length, at, at + unseen);
      text += written(source.slice(at, at + unseen));
      at += unseen - 1;
      continue;
    }
    const space = /\s/.test(source[at] ?? "");
    if (space && (text === "" || text.endsWith(" "))) continue;
    moved[at] = text.length;
    text += space ? " " : source[at];
  }
  moved[source.length] = text.length;
  const place = (offset: number): number => {
    for (let at = offset; at <= source.length; at += 1) {
      const to = moved[at] ?? -1;
      if (to >= 0) return to;
    }
    return text.length;
  };
  const kept = spans
    .filter((span) => span.start >= 0 && span.end <= source.length && span.start < span.end)
    .map((span) => ({ start: place(span.start), end: place(span.end - 1) + 1 }))
    .filter((span) => span.end > span.start && span.end <= text.length);
  return { text, spans: kept };
}
