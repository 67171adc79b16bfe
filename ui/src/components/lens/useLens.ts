import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { LensSpec } from "../../ipc/bindings.gen";
import { toCommandError } from "../../ipc/errors";
import { lensQuery } from "../../ipc/queries";

const NONE: LensSpec = { knower: null, at: null };

/** How a lens reads, or why it does not. */
export function useLens(lens: LensSpec | null) {
  const query = useQuery({
    ...lensQuery(lens ?? NONE),
    enabled: lens !== null,
    placeholderData: keepPreviousData,
  });
  return {
    view: lens === null || query.error ? null : (query.data ?? null),
    problem: lens !== null && query.error ? toCommandError(query.error).message : null,
  };
}
