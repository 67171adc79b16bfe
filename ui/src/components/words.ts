import { diffArrays } from "diff";

export type WordPart = { value: string; added: boolean; removed: boolean; at: number };

/** Words with their inner hyphens and apostrophes, blanks, and every other sign by itself. */
const WORDS = /\s+|[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*|[^\s\p{L}\p{N}]/gu;

const tokens = (text: string): string[] => text.match(WORDS) ?? [];

/** Marks that only a blank parts are one mark. */
export function joined(parts: WordPart[]): WordPart[] {
  const out: WordPart[] = [];
  parts.forEach((part, n) => {
    const last = out.at(-1);
    const between = !part.added && part.value.trim() === "" && last?.added && parts[n + 1]?.added;
    if (last && (between || (part.added && last.added))) last.value += part.value;
    else out.push({ ...part });
  });
  return out;
}

/** What changed between two texts, in whole words: “thirty-one” becomes “thirty-two”, not “one” “two”. */
export function wordParts(before: string, after: string): WordPart[] {
  let at = 0;
  return diffArrays(tokens(before), tokens(after)).map((part) => {
    const value = part.value.join("");
    const keyed = { value, added: part.added ?? false, removed: part.removed ?? false, at };
    at += value.length;
    return keyed;
  });
}
