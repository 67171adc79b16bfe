import type { QueryKey } from "@tanstack/react-query";
import type { ChangeTopic, DecayRates, MemoryFilter, Sort } from "./bindings.gen";

/** Every query key of the window. */
export const keys = {
  status: ["status"] as const,
  workspaces: ["workspaces"] as const,
  channels: ["channels"] as const,
  settings: ["settings"] as const,
  models: ["models"] as const,
  modelStatus: ["modelStatus"] as const,
  decayPreview: (rates: DecayRates) => ["decayPreview", rates] as const,
  memories: ["memories"] as const,
  list: (filter: MemoryFilter, sort: Sort) => ["memoryList", filter, sort] as const,
  lists: ["memoryList"] as const,
  search: (query: string, filter: MemoryFilter) => ["memories", "search", query, filter] as const,
  scopeCounts: (filter: MemoryFilter) => ["memories", "scopes", filter] as const,
  facetCounts: (filter: MemoryFilter, query: string | null) => ["memories", "facets", filter, query] as const,
  detail: (id: string) => ["memories", "detail", id] as const,
  history: (id: string) => ["memories", "history", id] as const,
  curve: (id: string) => ["memories", "curve", id] as const,
};

/**
 * Which queries a change of a topic makes stale. The paged memory list is missing on purpose: it refreshes
 * the pages in view only (see `features/memory/list/usePagedMemories.ts`).
 */
export const staleAfter: Record<ChangeTopic, readonly QueryKey[]> = {
  memories: [keys.memories, keys.channels, keys.modelStatus, keys.status],
  channels: [keys.channels],
  workspaces: [keys.workspaces, keys.status],
  settings: [keys.settings, keys.status, ["decayPreview"]],
  // What a search finds depends on the model and on how many vectors are there.
  models: [keys.models, keys.modelStatus, keys.status, keys.memories],
};
