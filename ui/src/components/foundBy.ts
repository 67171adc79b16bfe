import type { Contribution, ListName, SearchMode } from "../ipc/bindings.gen";

const BY_WORDS: readonly ListName[] = ["name", "text", "around_text"];

/** What found the hits of a search, of which the ranked lists are given: meaning alone if none has a word of the query. */
export function foundBy(mode: SearchMode, hits: readonly Contribution[][]): SearchMode | "meaning" {
  const hasWords = hits.some((lists) => lists.some(({ list }) => BY_WORDS.includes(list)));
  return mode === "hybrid" && hits.length > 0 && !hasWords ? "meaning" : mode;
}
