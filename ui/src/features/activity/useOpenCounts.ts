import { useQuery } from "@tanstack/react-query";
import { driftCountQuery, proposalCountQuery } from "../../ipc/queries";

/** What waits for a decision: proposals, contradictions, and both together. */
export function useOpenCounts() {
  const proposals = useQuery(proposalCountQuery).data ?? 0;
  const drifts = useQuery(driftCountQuery).data ?? 0;
  return { proposals, drifts, all: proposals + drifts };
}
