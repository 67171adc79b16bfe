import { useQuery } from "@tanstack/react-query";
import type { LensSpec, LensView } from "../../ipc/bindings.gen";
import { graphQuery, subjectsQuery } from "../../ipc/queries";
import { indexOf, type NameIndex } from "./nameIndex";

/** The lens of a conversation as a request has it: by ids where it has them. */
export const specOf = (lens: LensView | null): LensSpec | null =>
  lens && { knower: lens.knowerId, at: lens.chapterId ?? lens.at };

/**
 * The names that may be links: those of all subjects, or of those that a lens shows. `null` while they are not known and
 * when they could not be read. Through a lens also from a change until the next answer: a name that is withheld now may be
 * among those of the earlier one.
 */
export function useNameIndex(lens: LensSpec | null): NameIndex | null {
  const all = useQuery({ ...subjectsQuery, enabled: lens === null });
  const shown = useQuery({ ...graphQuery(lens), enabled: lens !== null });
  const isKnown = lens === null ? !all.isError : !shown.isError && !shown.isStale;
  const rows = lens === null ? all.data?.rows : shown.data?.nodes;
  return isKnown && rows !== undefined ? indexOf(rows) : null;
}
