import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { DecayRates, MemoryFilter } from "./bindings.gen";
import { core } from "./client";
import { keys } from "./keys";

/** More hits than anyone reads; the header says so when the list is cut here. */
export const SEARCH_LIMIT = 200;

export const statusQuery = queryOptions({ queryKey: keys.status, queryFn: () => core.appStatus() });
export const workspacesQuery = queryOptions({
  queryKey: keys.workspaces,
  queryFn: () => core.listWorkspaces(),
});
export const channelsQuery = queryOptions({ queryKey: keys.channels, queryFn: () => core.listChannels() });
export const settingsQuery = queryOptions({ queryKey: keys.settings, queryFn: () => core.getSettings() });
export const modelsQuery = queryOptions({ queryKey: keys.models, queryFn: () => core.listModels() });
export const modelStatusQuery = queryOptions({
  queryKey: keys.modelStatus,
  queryFn: () => core.modelStatus(),
});

export const searchQuery = (query: string, filter: MemoryFilter) =>
  queryOptions({
    queryKey: keys.search(query, filter),
    queryFn: () => core.searchMemories({ query, filter, limit: SEARCH_LIMIT, strategy: null }),
    enabled: query !== "",
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });

export const scopeCountsQuery = (filter: MemoryFilter) =>
  queryOptions({
    queryKey: keys.scopeCounts(filter),
    queryFn: () => core.scopeCounts(filter),
    placeholderData: keepPreviousData,
  });

export const facetCountsQuery = (filter: MemoryFilter, query: string | null) =>
  queryOptions({
    queryKey: keys.facetCounts(filter, query),
    queryFn: () => core.facetCounts(filter, query),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });

export const detailQuery = (id: string) =>
  queryOptions({ queryKey: keys.detail(id), queryFn: () => core.getMemory(id) });

export const historyQuery = (id: string) =>
  queryOptions({ queryKey: keys.history(id), queryFn: () => core.memoryHistory(id) });

export const curveQuery = (id: string) =>
  queryOptions({ queryKey: keys.curve(id), queryFn: () => core.decayCurve(id) });

export const decayPreviewQuery = (rates: DecayRates) =>
  queryOptions({
    queryKey: keys.decayPreview(rates),
    queryFn: () => core.previewDecay(rates),
    placeholderData: keepPreviousData,
  });
