import { useQueries } from "@tanstack/react-query";
import {
  chatSettingsQuery,
  consolidationSettingsQuery,
  conversationSettingsQuery,
  memoryEnabledQuery,
  modelStatusQuery,
  modelsQuery,
  orientationSettingsQuery,
  searchSettingsQuery,
  shellQuery,
  statusQuery,
  tokenUsageQuery,
  updateStatusQuery,
} from "../../ipc/queries";
import { hasShell } from "../../ipc/shell";

/**
 * True when each section has what it shows, or has failed to get it. A section that grew later would move the sections
 * below it, and a click would meet another control than the one it was meant for.
 */
export function useSectionsRead(): boolean {
  const queries = [
    statusQuery,
    memoryEnabledQuery,
    searchSettingsQuery,
    modelsQuery,
    modelStatusQuery,
    chatSettingsQuery,
    tokenUsageQuery,
    conversationSettingsQuery,
    orientationSettingsQuery,
    consolidationSettingsQuery,
    updateStatusQuery,
    ...(hasShell() ? [shellQuery] : []),
  ];
  return useQueries({ queries, combine: (reads) => reads.every((it) => !it.isPending) });
}
