import { useCallback, useMemo, useState } from "react";
import { usePages } from "../../../components/usePages";
import type { DriftState, DriftView, FactView } from "../../../ipc/bindings.gen";
import { core } from "../../../ipc/client";
import { keys } from "../../../ipc/keys";

const PAGE = 100;
const idOf = ({ id }: { id: string }) => id;

/** What the inbox lists: a contradiction, or a fact against which something else is claimed. */
export type Item =
  | { kind: "drift"; id: string; drift: DriftView }
  | { kind: "claim"; id: string; fact: FactView };

/** Contradictions of one state, or all of them. Claims wait for a decision like the open ones, and stand above them. */
export function useInbox(state: DriftState | null) {
  const query = usePages(
    keys.driftList(state),
    (after) => core.listDrifts({ state, after, limit: PAGE }),
    idOf,
  );
  const { rows, data, dataUpdatedAt } = query;
  // Settled here, and not read again yet.
  const [done, setDone] = useState<{ ids: ReadonlySet<string>; seen: number }>({ ids: new Set(), seen: 0 });
  const isFresh = dataUpdatedAt !== done.seen;
  const claimed = data?.pages[0]?.claimed;
  const items = useMemo((): Item[] => {
    const isDone = ({ id }: { id: string }) => !isFresh && done.ids.has(id);
    const facts = (claimed ?? [])
      .map((fact) => ({ ...fact, claims: fact.claims.filter((it) => !isDone(it)) }))
      .filter((fact) => fact.claims.length > 0);
    return [
      ...facts.map((fact): Item => ({ kind: "claim", id: fact.id, fact })),
      ...rows
        .filter((drift) => state !== "open" || !isDone(drift))
        .map((drift): Item => ({ kind: "drift", id: drift.id, drift })),
    ];
  }, [claimed, rows, isFresh, done, state]);
  /** Leaves out a contradiction or a claim from here on. */
  const settled = useCallback(
    (id: string) =>
      setDone((old) => ({
        ids: new Set([...(old.seen === dataUpdatedAt ? old.ids : []), id]),
        seen: dataUpdatedAt,
      })),
    [dataUpdatedAt],
  );
  return { query, items, settled };
}
