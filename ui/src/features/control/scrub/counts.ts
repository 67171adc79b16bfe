import type { I18n } from "../../../i18n/i18n";

const KNOWN = [
  "memories",
  "versions",
  "messages",
  "episodes",
  "facts",
  "workingNotes",
  "orientations",
  "proposals",
  "recallTests",
  "savedSearches",
  "vectors",
] as const;

/** What a count counts, for people; a kind that this window does not know keeps its own name. */
export function nameOf(what: string, { t }: I18n): string {
  const known = KNOWN.find((it) => it === what);
  return known ? t(`scrub.count.${known}`) : what;
}
