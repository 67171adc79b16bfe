import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type {
  ChatEndpoint,
  ConversationStatus,
  DecayRates,
  DocumentHit,
  DocumentKind,
  DocumentSearch,
  FactPage,
  FactView,
  LensSpec,
  MemoryFilter,
  MessageSearchRequest,
  OrientRequest,
  PageHit,
  SearchResponse,
  TickRequest,
  WhyRequest,
} from "./bindings.gen";
import { core } from "./client";
import { keys, type ReadsOf } from "./keys";

/** More hits than anyone reads; the header says so when the list is cut here. */
export const SEARCH_LIMIT = 200;
/** As many memories as are read as one text. */
export const READ_MOST = 100;
/** As many as the tallest window shows, and some: what is drawn with each letter. The others follow when typing rests. */
const SEARCH_FIRST = 40;

/** Places shown in which a subject is mentioned. */
const MENTIONS = 20;

export const statusQuery = queryOptions({ queryKey: keys.status, queryFn: () => core.appStatus() });
/** Whether this build can look for updates. It is the same as long as the program runs. */
export const updateStatusQuery = queryOptions({
  queryKey: keys.updateStatus,
  queryFn: () => core.updateStatus(),
  staleTime: Number.POSITIVE_INFINITY,
});
export const workspacesQuery = queryOptions({
  queryKey: keys.workspaces,
  queryFn: () => core.listWorkspaces(),
});
/** The channels of a world; of the open one without an id. */
export const channelsOf = (world: string | null) =>
  queryOptions({
    queryKey: world === null ? keys.channels : [...keys.channels, world],
    queryFn: () => core.listChannels(world),
  });
export const channelsQuery = channelsOf(null);
export const settingsQuery = queryOptions({ queryKey: keys.settings, queryFn: () => core.getSettings() });
export const shellQuery = queryOptions({ queryKey: keys.shell, queryFn: () => core.shellStatus() });
export const modelsQuery = queryOptions({ queryKey: keys.models, queryFn: () => core.listModels() });
export const modelStatusQuery = queryOptions({
  queryKey: keys.modelStatus,
  queryFn: () => core.modelStatus(),
});

/** A search for the first so many hits, or for all. */
export const searchRequest = (query: string, filter: MemoryFilter, first: number | null) => ({
  query,
  filter,
  limit: SEARCH_LIMIT,
  first,
  strategy: null,
});

export const searchQuery = (query: string, filter: MemoryFilter) =>
  queryOptions({
    queryKey: keys.search(query, filter),
    queryFn: ({ client, queryKey }) => {
      // What is read anew after a change is read as far as it was: the list does not shrink under the reader.
      const before = client.getQueryData<SearchResponse>(queryKey);
      return core.searchMemories(searchRequest(query, filter, before && !before.more ? null : SEARCH_FIRST));
    },
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

export const conversationQuery = (ref: string) =>
  queryOptions({ queryKey: keys.conversation(ref), queryFn: () => core.getConversation(ref) });

export const branchesQuery = (ref: string) =>
  queryOptions({ queryKey: keys.branches(ref), queryFn: () => core.listBranches(ref) });

/** As many conversations as the core gives at once. */
const ALL_CONVERSATIONS = 500;
/** More than are shown of those that a title finds. */
const TITLED_CONVERSATIONS = 50;
const EVERY_STATUS: ConversationStatus[] = ["active", "idle", "archived"];

/** The newest conversations of every channel and status, of those with these words in their title. */
const newestConversations = (title: string | null, limit: number) =>
  core.listConversations({ channelId: null, statuses: EVERY_STATUS, title, after: null, limit });

export const allConversationsQuery = queryOptions({
  queryKey: [...keys.conversationList(null, EVERY_STATUS), ALL_CONVERSATIONS] as const,
  queryFn: () => newestConversations(null, ALL_CONVERSATIONS),
});

/** Conversations whose titles have these words. */
export const titledConversationsQuery = (title: string) =>
  queryOptions({
    queryKey: [...keys.conversationList(null, EVERY_STATUS), "titled", title] as const,
    queryFn: () => newestConversations(title, TITLED_CONVERSATIONS),
    gcTime: 60_000,
  });

export const notesQuery = (ref: string | null) =>
  queryOptions({ queryKey: keys.notes(ref), queryFn: () => core.listScratchpad(ref) });

export const contextQuery = (ref: string) =>
  queryOptions({
    queryKey: keys.context(ref),
    queryFn: () => core.previewContext(ref, null),
    placeholderData: keepPreviousData,
  });

export const episodesQuery = (ref: string) =>
  queryOptions({ queryKey: keys.episodes(ref), queryFn: () => core.listEpisodes(ref) });

export const factsQuery = (asOf: string | null) =>
  infiniteQueryOptions({
    queryKey: keys.facts(asOf),
    queryFn: ({ pageParam }) =>
      core.listFacts({
        category: null,
        asOf,
        within: null,
        calendar: null,
        lens: null,
        after: pageParam,
        limit: 100,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });

/** As many facts as the core gives at once. */
const FACTS_AT_ONCE = 500;

export const allFactsQuery = queryOptions({
  queryKey: keys.allFacts,
  queryFn: async () => {
    const request = { category: null, asOf: null, within: null, calendar: null, lens: null };
    const rows: FactView[] = [];
    let after: string | null = null;
    do {
      const page: FactPage = await core.listFacts({ ...request, after, limit: FACTS_AT_ONCE });
      rows.push(...page.rows);
      after = page.next;
    } while (after !== null);
    return rows;
  },
});

export const factHistoryQuery = (id: string) =>
  queryOptions({ queryKey: keys.factHistory(id), queryFn: () => core.factHistory(id) });

export const messageSearchQuery = (request: MessageSearchRequest) =>
  queryOptions({
    queryKey: keys.messageSearch(request),
    queryFn: () => core.searchMessages(request),
    enabled: request.query !== "",
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });

const searchKind = (
  query: string,
  kind: DocumentKind,
  lens: LensSpec | null,
  limit: number,
  vaultId: string | null = null,
) =>
  core.searchDocuments({
    query,
    kinds: [kind],
    channelId: null,
    vaultId,
    archived: true,
    limit,
    strategy: null,
    lens,
  });

/** Hits of one kind, for what is open for a moment: nothing of it is kept. */
export const documentsQuery = (query: string, kind: DocumentKind, lens: LensSpec | null, limit: number) =>
  queryOptions({
    queryKey: keys.documents(query, kind, lens, limit),
    queryFn: () => searchKind(query, kind, lens, limit),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

export const conversationMemoriesQuery = (id: string) =>
  queryOptions({
    queryKey: keys.conversationMemories(id),
    queryFn: () =>
      core.listMemories({
        filter: { scope: "conversation", channelId: null, conversationId: id, terms: [], lens: null },
        sort: "updated_desc",
        after: null,
        limit: 100,
      }),
  });

export const chatSettingsQuery = queryOptions({ queryKey: keys.chat, queryFn: () => core.chatSettings() });
/** Programs may start and stop at any time; they are asked when a page shows them. */
export const runningModelsQuery = queryOptions({
  queryKey: keys.runningModels,
  queryFn: () => core.runningModels(),
  staleTime: 5_000,
});

/** The models of an endpoint, asked for each time that somebody chooses among them. */
export const endpointModelsQuery = (endpoint: ChatEndpoint) =>
  queryOptions({
    queryKey: keys.endpointModels(endpoint.baseUrl),
    queryFn: () => core.testChatEndpoint(endpoint, null),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

/** Days whose tokens are shown. */
export const TOKEN_DAYS = 30;

/** Read anew each time it is shown: no change announces a count. */
export const tokenUsageQuery = queryOptions({
  queryKey: keys.tokenUsage,
  queryFn: () => core.tokenUsage(TOKEN_DAYS),
  staleTime: 0,
  gcTime: 0,
});
export const conversationSettingsQuery = queryOptions({
  queryKey: keys.conversationSettings,
  queryFn: () => core.conversationSettings(),
});

/** Read anew each time it is asked for: it depends on everything said so far. */
export const compactionQuery = (ref: string) =>
  queryOptions({
    queryKey: keys.compaction(ref),
    queryFn: () => core.previewCompaction(ref, null),
    gcTime: 0,
    staleTime: 0,
  });

export const subjectsQuery = queryOptions({
  queryKey: keys.subjects,
  queryFn: () => core.listSubjects(null),
});
export const suggestionsQuery = queryOptions({
  queryKey: keys.suggestions,
  queryFn: () => core.suggestSubjects(),
  staleTime: 60_000,
});
export const subjectQuery = (id: string) =>
  queryOptions({ queryKey: keys.subject(id), queryFn: () => core.getSubject(id) });

/** All subjects and the relations between them, as a lens shows them. */
export const graphQuery = (lens: LensSpec | null) =>
  queryOptions({
    queryKey: keys.graph(lens),
    queryFn: () => core.worldGraph(lens),
    retry: lens === null ? undefined : false,
    gcTime: 60_000,
  });

export const calendarsQuery = queryOptions({
  queryKey: keys.calendars,
  queryFn: () => core.listCalendars(),
});
export const chaptersQuery = queryOptions({
  queryKey: keys.chapters,
  queryFn: () => core.listChapters(),
});

/** The marks of a scale; those of the scale before it stay until they are there. */
export const ticksQuery = (request: TickRequest) =>
  queryOptions({
    queryKey: keys.ticks(request),
    queryFn: () => core.timelineTicks(request),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 10_000,
  });

/** How a date reads; without waiting again for one that is none. */
export const dateQuery = (text: string, calendar: string | null) =>
  queryOptions({
    queryKey: keys.date(text, calendar),
    queryFn: () => core.readDate(text, calendar),
    retry: false,
    gcTime: 60_000,
  });

/** How a lens reads; without waiting again for one that is none. */
export const lensQuery = (lens: LensSpec) =>
  queryOptions({
    queryKey: keys.lens(lens),
    queryFn: () => core.readLens(lens),
    retry: false,
    gcTime: 60_000,
  });

/** A hit that is no page. */
export type MentionHit = Exclude<DocumentHit, { kind: "page" }>;
const isMention = (hit: DocumentHit): hit is MentionHit => hit.kind !== "page";
const withoutPages = (found: DocumentSearch) => ({ ...found, hits: found.hits.filter(isMention) });

/** Memories and messages in which a name stands, the best first. */
export const mentionsQuery = (name: string) =>
  queryOptions({
    queryKey: keys.mentions(name),
    queryFn: () =>
      core.searchDocuments({
        query: `"${name.replaceAll('"', " ")}"`,
        kinds: ["memory", "message"],
        channelId: null,
        vaultId: null,
        archived: true,
        limit: MENTIONS,
        strategy: null,
        lens: null,
      }),
    select: withoutPages,
  });

export const vaultsQuery = queryOptions({ queryKey: keys.vaults, queryFn: () => core.listVaults() });

/** Hits of a search over pages alone, in the list of pages. */
const PAGES_FOUND = 200;

/** The page to which memories are appended. */
export const promotionPageQuery = queryOptions({
  queryKey: keys.promotionPage,
  queryFn: () => core.promotionPage(),
  staleTime: 0,
});

/** A memory as a change of a page. */
export const promotionQuery = (id: string, page: string) =>
  queryOptions({
    queryKey: keys.promotion(id, page),
    queryFn: () => core.promoteMemory(id, page),
    gcTime: 0,
  });

/** The pages that a search finds, in one linked folder or in all. */
export const pagesFoundQuery = (query: string, vaultId: string | null = null) =>
  queryOptions({
    queryKey: keys.pagesFound(query, vaultId),
    queryFn: () => searchKind(query, "page", null, PAGES_FOUND, vaultId),
    select: ({ hits }): PageHit[] => hits.filter((hit) => hit.kind === "page"),
    enabled: query !== "",
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });

export const pageQuery = (id: string) =>
  queryOptions({ queryKey: keys.page(id), queryFn: () => core.getPage(id), retry: false });

export const vaultSkipsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: keys.vaultSkips(id),
    queryFn: ({ pageParam }) => core.vaultStatus(id, pageParam, 50),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });

export const namedQuery = queryOptions({ queryKey: keys.named, queryFn: () => core.listNamedEntries() });

export const orientationsQuery = (ref: string) =>
  infiniteQueryOptions({
    queryKey: keys.orientationList(ref),
    queryFn: ({ pageParam }) => core.listOrientations(ref, pageParam, 50),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });

/** What tools and clients were shown besides. No topic tells of a read: it is read anew each time it is looked at. */
export const readsQuery = (of: ReadsOf) =>
  infiniteQueryOptions({
    queryKey: keys.reads(of),
    queryFn: ({ pageParam }) => core.listReads(of.conversation ?? null, of.client ?? null, pageParam, 20),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    staleTime: 0,
  });

export const orientationQuery = (id: string) =>
  queryOptions({ queryKey: keys.orientation(id), queryFn: () => core.getOrientation(id) });

export const orientQuery = (request: OrientRequest) =>
  queryOptions({
    queryKey: keys.orient(request),
    queryFn: () => core.orient(request),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });

export const whyQuery = (request: WhyRequest) =>
  queryOptions({
    queryKey: keys.why(request),
    queryFn: () => core.whyOrientation(request),
    gcTime: 30_000,
  });

export const searchSettingsQuery = queryOptions({
  queryKey: keys.searchSettings,
  queryFn: () => core.searchSettings(),
});

/** The saved searches of the world in their order. */
export const savedSearchesQuery = queryOptions({
  queryKey: keys.savedSearches,
  queryFn: () => core.listSavedSearches(),
});

export const orientationSettingsQuery = queryOptions({
  queryKey: keys.orientationSettings,
  queryFn: () => core.orientationSettings(),
});

export const proposalCountQuery = queryOptions({
  queryKey: keys.proposalCount,
  queryFn: () => core.countProposals(),
});

/** As of the last look for contradictions. Reading their list is such a look. */
export const driftCountQuery = queryOptions({
  queryKey: keys.driftCount,
  queryFn: () => core.countDrifts(),
});

export const recallTestsQuery = queryOptions({
  queryKey: keys.recallTests,
  queryFn: () => core.listRecallTests(),
});

export const agentPatternsQuery = queryOptions({
  queryKey: keys.agentPatterns,
  queryFn: () => core.listAgentPatterns(),
});

export const agentMetricsQuery = (days: number) =>
  queryOptions({
    queryKey: keys.agentMetrics(days),
    queryFn: () => core.agentMetrics(days),
    placeholderData: keepPreviousData,
  });

/** As many sequences as anyone looks through. */
export const MOST_SEQUENCES = 100;

/** The sequences that are like a query, or the newest ones without one. */
export const agentSequencesQuery = (query: string) =>
  queryOptions({
    queryKey: keys.agentSequences(query),
    queryFn: () => core.searchAgentSequences(query, MOST_SEQUENCES),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });

export const agentTelemetrySettingsQuery = queryOptions({
  queryKey: keys.agentTelemetrySettings,
  queryFn: () => core.agentTelemetrySettings(),
});

export const runItemsQuery = (id: string) =>
  queryOptions({ queryKey: keys.runItems(id), queryFn: () => core.runItems(id) });

/** Read anew each time it is asked for: it depends on everything that is remembered. */
export const runPreviewQuery = queryOptions({
  queryKey: keys.runPreview,
  queryFn: () => core.previewConsolidation(),
  gcTime: 0,
  staleTime: 0,
});

export const tasksQuery = queryOptions({ queryKey: keys.tasks, queryFn: () => core.listTasks() });

export const consolidationSettingsQuery = queryOptions({
  queryKey: keys.consolidationSettings,
  queryFn: () => core.consolidationSettings(),
});

/** An AI client may switch it, too. */
export const memoryEnabledQuery = queryOptions({
  queryKey: keys.memoryEnabled,
  queryFn: () => core.memoryEnabled(),
  staleTime: 0,
});

export const overviewQuery = queryOptions({
  queryKey: keys.overview,
  queryFn: () => core.memoryOverview(),
  // Nobody is told when another process backs up, scrubs or connects: what the control plane shows is read anew.
  staleTime: 0,
});
export const auditQuery = queryOptions({
  queryKey: keys.audit,
  queryFn: () => core.auditLog(),
  staleTime: 0,
});
export const backupsQuery = queryOptions({
  queryKey: keys.backups,
  queryFn: () => core.listBackups(),
  staleTime: 0,
});
export const backupSettingsQuery = queryOptions({
  queryKey: keys.backupSettings,
  queryFn: () => core.backupSettings(),
});
/** Found at the start of the process, and at no other time. */
export const damagedQuery = queryOptions({ queryKey: keys.damaged, queryFn: () => core.damagedFiles() });
export const clientsQuery = queryOptions({
  queryKey: keys.clients,
  queryFn: () => core.listClients(),
  staleTime: 0,
});
export const mcpQuery = queryOptions({
  queryKey: keys.mcp,
  queryFn: () => core.mcpStatus(),
  staleTime: 0,
});

/** With a token in them they are not kept: it is to be seen once. */
export const snippetsQuery = (id: string, token: string | null) =>
  queryOptions({
    queryKey: keys.snippets(id, token),
    queryFn: () => core.clientSnippets(id, token),
    gcTime: 0,
    staleTime: 0,
  });
