import type {
  Contribution,
  LayerBudget,
  MemoryFilter,
  OrientationItem,
  OrientationLayer,
  OrientationPage,
  OrientationSettings,
  OrientationView,
  OrientRequest,
  ReadPage,
  ReadView,
} from "../ipc/bindings.gen";
import type { Beside } from "./beside";
import type { Named } from "./named";
import { search } from "./query";
import { decayTerms, type Entry, fail, HOUR } from "./store";
import type { Talk, Talks } from "./talk";

const LAYERS: OrientationLayer[] = [
  "named",
  "facts",
  "episodes",
  "earlier",
  "conversation",
  "channel",
  "workspace",
  "account",
];
const LIMIT = 20;

const tokensOf = (text: string) => Math.ceil(text.length / 4);

const bare: Omit<OrientationItem, "layer" | "kind" | "id" | "label" | "tokens"> = {
  curator: null,
  importance: null,
  relevance: null,
  ageDays: null,
  taken: true,
  shortened: false,
  rule: null,
  repeats: null,
  score: null,
  parts: [],
};

/** What the agent was shown, and the ledger of it: what was taken, and what was left out by which rule. */
/** The search itself does not narrow down; its caller has. */
const EVERYTHING: MemoryFilter = { scope: null, channelId: null, conversationId: null, terms: [] };

export class Orientations {
  settings: OrientationSettings = {
    budget: 0,
    shares: {
      facts: 15,
      episodes: 10,
      earlier: 10,
      conversation: 15,
      channel: 20,
      workspace: 20,
      account: 10,
    },
    refine: true,
  };
  /** Layers that cannot be had. */
  broken = new Set<OrientationLayer>();
  private kept = new Map<string, OrientationView[]>();

  constructor(
    private readonly talks: Talks,
    private readonly beside: Beside,
    private readonly named: Named,
  ) {}

  private total(): number {
    return this.settings.budget === 0 ? 2_000 : this.settings.budget;
  }

  private ranked(query: string, entries: Entry[]) {
    const request = { query, filter: EVERYTHING, limit: 200, first: null, strategy: null };
    const found = search(entries, request, this.talks.host.modelState === "ready", null, Date.now()).hits;
    return new Map(
      found.map((hit) => [hit.row.id, { score: hit.score, parts: hit.explanation.contributions }]),
    );
  }

  private memory(entry: Entry, layer: OrientationLayer, why?: { score: number; parts: Contribution[] }) {
    const { row, content } = entry.detail;
    const now = Date.now();
    return {
      ...bare,
      layer,
      kind: "memory" as const,
      id: row.id,
      label: row.preview.slice(0, 160),
      tokens: tokensOf(content) + 12,
      curator: row.curator,
      importance: row.importance,
      relevance: decayTerms(row, now).relevance,
      ageDays: (now - Date.parse(row.createdAt)) / (24 * HOUR),
      score: why?.score ?? null,
      parts: why?.parts ?? [],
    };
  }

  /** Everything that could be shown, best first in each layer. */
  private candidates(talk: Talk | null, channelId: string | null, query: string): OrientationItem[] {
    const all = [...this.talks.host.entries.values()].filter((it) => !it.detail.forgotten);
    const here = all.filter(({ detail: { row } }) =>
      row.scope === "channel"
        ? row.channelId === channelId
        : row.scope === "conversation"
          ? row.conversationId === talk?.view.id
          : row.name === null,
    );
    const ranks = this.ranked(query, here);
    const memories = here
      .map((entry) => this.memory(entry, entry.detail.row.scope, ranks.get(entry.detail.row.id)))
      .sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || (b.relevance ?? 0) - (a.relevance ?? 0));
    const standing = [...this.named.standing.values(), ...all.filter((it) => it.detail.row.name !== null)]
      .filter((it) => it.detail.content !== "")
      .map((entry) => this.memory(entry, "named"));
    const facts = this.beside.facts
      .filter((it) => it.fact.removedAt === null)
      .map(({ fact }): OrientationItem => {
        const label = `${fact.category}, ${fact.key}: ${fact.value}`;
        return { ...bare, layer: "facts", kind: "fact", id: fact.id, label, tokens: tokensOf(label) + 6 };
      });
    const episodes = (this.beside.episodes.get(talk?.view.id ?? "") ?? []).map(
      (it): OrientationItem => ({
        ...bare,
        layer: "episodes",
        kind: "episode",
        id: it.id,
        label: it.summary,
        tokens: tokensOf(it.summary),
        ageDays: (Date.now() - Date.parse(it.createdAt)) / (24 * HOUR),
      }),
    );
    const earlier = (talk?.messages ?? [])
      .filter((it) => it.importance >= 0.8)
      .map(
        (it): OrientationItem => ({
          ...bare,
          layer: "earlier",
          kind: "message",
          id: it.id,
          label: it.content.slice(0, 160),
          tokens: it.tokens,
          importance: it.importance,
          ageDays: (Date.now() - Date.parse(it.at)) / (24 * HOUR),
        }),
      );
    return [...standing, ...facts, ...episodes, ...earlier, ...memories];
  }

  private orient(talk: Talk | null, request: OrientRequest): OrientationView {
    const { query } = request;
    const budget = request.budget ?? this.total();
    const channelId = request.channelId ?? talk?.view.channelId ?? null;
    const items = this.candidates(talk, channelId, query);
    const named = items.filter((it) => it.layer === "named").reduce((sum, it) => sum + it.tokens, 0);
    const { shares, refine } = this.settings;
    const parts = Object.values(shares).reduce((sum, it) => sum + it, 0);
    let over = 0;
    const layers = LAYERS.map((layer): LayerBudget => {
      const failed = this.broken.has(layer);
      const own = layer === "named" ? named : Math.floor(((budget - named) * shares[layer]) / parts);
      const room = own + (layer === "named" ? 0 : over);
      const members = items.filter((it) => it.layer === layer);
      let used = 0;
      members.forEach((item, n) => {
        const said = members.findIndex((it) => it.label.slice(0, 40) === item.label.slice(0, 40));
        if (said < n) Object.assign(item, { rule: "repeats", repeats: members[said]?.id ?? null });
        else if (n >= LIMIT) item.rule = "limit";
        else if (used + item.tokens > room) item.rule = "budget";
        else if (refine && item.kind === "memory" && layer !== "named" && n > 3 && (item.score ?? 0) < 0.006)
          item.rule = "refined";
        item.taken = item.rule === null && !failed;
        if (item.taken) used += item.tokens;
      });
      if (layer !== "named") over = room - used;
      const taken = members.filter((it) => it.taken).length;
      const leftOut = failed ? 0 : members.length - taken;
      return { layer, budget: room, used, taken, leftOut, failed };
    });
    const kept = items.filter((it) => !this.broken.has(it.layer));
    const markdown = LAYERS.map((layer) => {
      const shown = kept.filter((it) => it.layer === layer && it.taken);
      if (shown.length === 0) return "";
      const lines = shown.map((it) => {
        const frame =
          it.importance === null ? "" : ` *(${it.curator ?? "said"}, ${it.importance.toFixed(2)})*`;
        return `- ${it.label.replace(/\n+/g, " ")}${frame}`;
      });
      return `## ${layer}\n\n${lines.join("\n")}`;
    })
      .filter((it) => it !== "")
      .join("\n\n");
    return {
      id: null,
      conversationId: talk?.view.id ?? null,
      messageId: null,
      query,
      at: new Date().toISOString(),
      budget,
      tokens: layers.reduce((sum, it) => sum + it.used, 0),
      layers,
      items: kept,
      thinned: false,
      markdown: `# What you may draw on\n\nThese are candidates, not facts.\n\n${markdown}`,
    };
  }

  /** A ledger for every finished answer; the first of a conversation is old and thinned. */
  private ledgers(ref: string): OrientationView[] {
    const talk = this.talks.need(ref);
    const { id } = talk.view;
    const kept = this.kept.get(id) ?? [];
    let query = "";
    for (const message of talk.messages) {
      if (message.role === "user") query = message.content;
      if (message.role !== "assistant" || message.content === "" || message.delivery === "streaming")
        continue;
      if (kept.some((it) => it.messageId === message.id)) continue;
      const view = this.orient(talk, { conversation: id, channelId: null, query, budget: null });
      const old = kept.length === 0;
      kept.push({
        ...view,
        id: `orientation-${message.id}`,
        messageId: message.id,
        at: message.at,
        markdown: null,
        thinned: old,
        items: old ? view.items.filter((it) => it.taken) : view.items,
      });
    }
    this.kept.set(id, kept);
    return [...kept].reverse();
  }

  private page(ref: string, after: string | null, limit: number): OrientationPage {
    const all = this.ledgers(ref);
    const start = after ? all.findIndex((it) => it.id === after) + 1 : 0;
    const rows = all.slice(start, start + limit).map((it) => ({
      id: it.id ?? "",
      messageId: it.messageId,
      query: it.query,
      at: it.at,
      tokens: it.tokens,
      budget: it.budget,
      taken: it.layers.reduce((sum, layer) => sum + layer.taken, 0),
      leftOut: it.layers.reduce((sum, layer) => sum + layer.leftOut, 0),
    }));
    return { rows, next: start + limit < all.length ? (rows.at(-1)?.id ?? null) : null };
  }

  /** What tools and clients were shown, newest first, with the client's id. */
  reads: (ReadView & { clientId?: string })[] = [];

  private readsOf(ref: string | null, client: string | null, after: string | null, limit: number): ReadPage {
    const talk = ref === null ? null : this.talks.need(ref).view.id;
    const all = this.reads.filter(
      (it) => (talk === null || it.conversationId === talk) && (client === null || it.clientId === client),
    );
    const start = after ? all.findIndex((it) => it.id === after) + 1 : 0;
    const rows = all.slice(start, start + limit);
    return { rows, next: start + limit < all.length ? (rows.at(-1)?.id ?? null) : null };
  }

  commands: Record<string, (args: never) => unknown> = {
    orient: ({ request }: { request: OrientRequest }) =>
      this.orient(request.conversation ? this.talks.need(request.conversation) : null, request),
    list_orientations: (a: { conversation: string; after: string | null; limit: number }) =>
      this.page(a.conversation, a.after, a.limit),
    list_reads: (a: {
      conversation: string | null;
      client: string | null;
      after: string | null;
      limit: number;
    }) => this.readsOf(a.conversation, a.client, a.after, a.limit),
    get_orientation: ({ id }: { id: string }) => {
      const found = [...this.talks.talks.keys()]
        .flatMap((talk) => this.ledgers(talk))
        .find((it) => it.id === id);
      if (!found) throw fail("not_found", "There is no such ledger.");
      return found;
    },
    orientation_settings: () => this.settings,
    set_orientation_settings: ({ settings }: { settings: OrientationSettings }) => {
      this.talks.writable();
      if (Object.values(settings.shares).every((it) => it === 0))
        throw fail("invalid", "At least one layer needs a share.", { field: "shares" });
      this.settings = settings;
      this.talks.tell("settings");
      return settings;
    },
  };
}
