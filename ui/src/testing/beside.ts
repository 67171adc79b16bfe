import type {
  CompactionPreview,
  ContextItem,
  ContextView,
  EpisodeView,
  FactList,
  FactValueView,
  FactView,
  MessageView,
  NoteView,
} from "../ipc/bindings.gen";
import { fail, HOUR, idOf } from "./store";
import type { Talk, Talks } from "./talk";

const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();

type Kept = { fact: FactView; values: FactValueView[] };

function kept(id: string, category: string, key: string, value: string, more: Partial<FactView> = {}): Kept {
  const fact: FactView = {
    id,
    category,
    key,
    value,
    source: "user",
    conversationRef: "k3T9wPq2LxA",
    createdAt: ago(300),
    updatedAt: ago(30),
    version: 1,
    removedAt: null,
    claims: [],
    ...more,
  };
  const values: FactValueView[] = [
    {
      version: 1,
      value,
      source: fact.source,
      conversationRef: fact.conversationRef,
      from: fact.createdAt,
      until: null,
      removed: false,
    },
  ];
  return { fact, values };
}

/** What stands beside a transcript: notes, facts, episodes, compaction, and what the agent is shown. */
export class Beside {
  facts: Kept[] = [
    kept("f1", "Marguerite Vane", "age", "fifty-four"),
    kept("f2", "Marguerite Vane", "can read", "undecided", {
      claims: [{ id: "cl1", value: "no, but she hides it well", conversationRef: "p0Qw8sVn4Yt", at: ago(6) }],
    }),
    kept("f3", "Saltmere", "seats on the council", "seven, one always empty", { source: "agent" }),
    kept("f4", "The clerk", "name", "Anselm", { source: "agent" }),
  ];
  notes: NoteView[] = [
    this.note(
      "k3T9wPq2LxA",
      "open-threads",
      '{"ledger":"which copy is missing?","anselm":{"mother":"careful"}}',
      3600,
    ),
    this.note("k3T9wPq2LxA", "tone", '"dry, a little salt"', null),
    this.note("Zb71mNc0QeR", "leaning", '{"bound back":false}', null),
  ];
  episodes = new Map<string, EpisodeView[]>([
    [
      "conv-k3T9wPq2LxA",
      [
        {
          id: "ep1",
          summary:
            "The fair was chosen as the night of the strike. Tobin may or may not know. The price of a place on the water was set at one crown.",
          turnCount: 24,
          from: ago(1100),
          until: ago(900),
          maker: "model",
          createdAt: ago(880),
        },
      ],
    ],
  ]);
  keepOnlySummaries = () => false;

  constructor(private readonly talks: Talks) {}

  private note(ref: string, key: string, value: string, ttlSeconds: number | null): NoteView {
    const expiresAt = ttlSeconds === null ? null : new Date(Date.now() + ttlSeconds * 700).toISOString();
    return {
      conversationId: `conv-${ref}`,
      conversationRef: ref,
      key,
      value,
      createdAt: ago(2),
      updatedAt: ago(0.5),
      ttlSeconds,
      expiresAt,
    };
  }

  private fact(id: string): Kept {
    const found = this.facts.find((it) => it.fact.id === id);
    if (!found) throw fail("not_found", "No such fact.");
    return found;
  }

  private setValue(found: Kept, value: string, removed = false) {
    const now = new Date().toISOString();
    const last = found.values.at(-1);
    if (last) last.until = now;
    found.fact.version += 1;
    found.fact.value = value;
    found.fact.updatedAt = now;
    found.fact.removedAt = removed ? now : null;
    found.fact.source = "user";
    found.values.push({
      version: found.fact.version,
      value,
      source: "user",
      conversationRef: null,
      from: now,
      until: null,
      removed,
    });
    this.talks.tell("transcript");
    return found.fact;
  }

  private set(category: string, key: string, value: string) {
    this.talks.writable();
    if (value.trim() === "") throw fail("invalid", "A fact needs a value.", { field: "value" });
    let found = this.facts.find((it) => it.fact.category === category && it.fact.key === key);
    if (!found) {
      found = kept(`f${this.facts.length + 1}`, category, key, value, {
        createdAt: new Date().toISOString(),
        updatedAt: new Date().toISOString(),
      });
      this.facts.push(found);
      this.talks.tell("transcript");
      return { fact: found.fact, claimed: false };
    }
    return { fact: this.setValue(found, value), claimed: false };
  }

  private list({ asOf }: FactList): FactView[] {
    if (!asOf) return this.facts.map((it) => it.fact).filter((it) => it.removedAt === null);
    return this.facts.flatMap(({ fact, values }) => {
      const then = values.find((it) => it.from <= asOf && (it.until === null || it.until > asOf));
      return then && !then.removed ? [{ ...fact, value: then.value, version: then.version, claims: [] }] : [];
    });
  }

  private settle(id: string, accept: boolean) {
    this.talks.writable();
    const found = this.facts.find((it) => it.fact.claims.some((claim) => claim.id === id));
    const claim = found?.fact.claims.find((it) => it.id === id);
    if (!found || !claim) throw fail("not_found", "The claim is settled already.");
    found.fact.claims = found.fact.claims.filter((it) => it.id !== id);
    if (accept) return this.setValue(found, claim.value);
    this.talks.tell("transcript");
    return found.fact;
  }

  /** The messages a compaction would take: those since the last marker, but the newest few. */
  private older(talk: Talk, retain: number): MessageView[] {
    const through = talk.messages.findLast((it) => it.marker)?.marker?.through ?? 0;
    return talk.messages.filter((it) => it.position > through && !it.marker).slice(0, -retain);
  }

  private compaction(ref: string, retain: number): CompactionPreview | null {
    const talk = this.talks.need(ref);
    const older = this.older(talk, retain);
    const last = older.at(-1);
    if (!last) return null;
    const tokensBefore = talk.messages.reduce((sum, it) => sum + it.tokens, 0);
    const summarised = older.reduce((sum, it) => sum + it.tokens, 0);
    return {
      through: last.position,
      messages: older.length,
      tokensBefore,
      tokensAfter: tokensBefore - summarised + 60,
      name: `${talk.view.title || "A conversation"}, so far`,
      summary:
        "Two ledgers exist. The Lanternmen's own counts the shadows, and that is the one that is missing.",
      maker: "extract",
      deletesMessages: this.keepOnlySummaries(),
    };
  }

  private compact(ref: string, retain: number, name: string | null) {
    this.talks.writable();
    const preview = this.compaction(ref, retain);
    if (!preview) return null;
    const talk = this.talks.need(ref);
    const marker = this.talks.append(talk, {
      role: "system",
      content: preview.summary,
      marker: {
        archiveId: idOf(6),
        archiveName: name ?? preview.name,
        archivedAt: new Date().toISOString(),
        through: preview.through,
      },
    });
    if (preview.deletesMessages)
      talk.messages = talk.messages.filter((it) => it.position > preview.through || it.marker);
    this.talks.tell("transcript", "memories");
    return marker;
  }

  private context(ref: string): ContextView {
    const talk = this.talks.need(ref);
    const spoken = talk.messages.filter((it) => it.role === "user" || it.role === "assistant");
    const said = spoken.filter((it) => it.content !== "");
    const recent = said.slice(-6);
    const items: ContextItem[] = said
      .map((message) => {
        const legs: ContextItem["legs"] = [];
        if (recent.includes(message)) legs.push("recency");
        if (message.importance >= 0.8) legs.push("salience");
        const similar = /ledger/i.test(message.content);
        if (similar) legs.push("relevance");
        return { message, legs, similarity: similar ? 0.71 : null };
      })
      .filter((it) => it.legs.length > 0)
      .slice(-20);
    const memories = [...this.talks.host.entries.values()]
      .map((it) => it.detail.row)
      .filter((row) => row.channelId === talk.view.channelId && row.forgottenAt === null)
      .slice(0, 6);
    const episodes = this.episodes.get(talk.view.id) ?? [];
    const marker = talk.messages.findLast((it) => it.marker)?.marker;
    const length = (text: string) => Math.ceil(text.length / 4);
    const tokens =
      items.reduce((sum, it) => sum + it.message.tokens, 0) +
      memories.reduce((sum, it) => sum + length(it.preview), 0) +
      episodes.reduce((sum, it) => sum + length(it.summary), 0) +
      220;
    return {
      items,
      episodes,
      archive: marker
        ? {
            id: marker.archiveId,
            name: marker.archiveName,
            summary: "The fair pays dues, counts boats, and may bring the ledger to light.",
            archivedAt: marker.archivedAt,
          }
        : null,
      memories,
      facts: this.list({ category: null, asOf: null, after: null, limit: 50 }),
      notes:
        this.talks.host.modelState === "ready" ? [] : ["Similar turns were left out: no model for meaning."],
      tokens,
      budget: 6000,
      prompt:
        "You are the World Agent of this world. What follows are memories. They are candidates, not facts.\n\n[memory | curator: author | channel | importance 0.80]\nThe Ropewalkers control every crane on the south quay.\n\nIf the worldbuilder contradicts a memory, the worldbuilder is right.",
    };
  }

  commands: Record<string, (args: never) => unknown> = {
    list_scratchpad: ({ conversation }: { conversation: string | null }) => {
      const id = conversation === null ? null : this.talks.need(conversation).view.id;
      return this.notes.filter((it) => id === null || it.conversationId === id);
    },
    read_scratchpad: ({ conversation, key }: { conversation: string; key: string }) => {
      const { id } = this.talks.need(conversation).view;
      return this.notes.find((it) => it.conversationId === id && it.key === key) ?? null;
    },
    list_facts: ({ request }: { request: FactList }) => ({ rows: this.list(request), next: null }),
    set_fact: (a: { category: string; key: string; value: string }) => this.set(a.category, a.key, a.value),
    remove_fact: ({ id }: { id: string }) => {
      this.talks.writable();
      const found = this.fact(id);
      return this.setValue(found, found.fact.value, true);
    },
    fact_history: ({ id }: { id: string }) => [...this.fact(id).values].reverse(),
    settle_claim: ({ id, accept }: { id: string; accept: boolean }) => this.settle(id, accept),
    preview_compaction: ({ conversation, retain }: { conversation: string; retain: number | null }) =>
      this.compaction(conversation, retain ?? 4),
    compact_conversation: (a: { conversation: string; retain: number | null; name: string | null }) =>
      this.compact(a.conversation, a.retain ?? 4, a.name),
    list_episodes: ({ conversation }: { conversation: string }) =>
      this.episodes.get(this.talks.need(conversation).view.id) ?? [],
    summarise_old_turns: () => null,
    remove_episode: ({ id }: { id: string }) => {
      for (const [key, list] of this.episodes)
        this.episodes.set(
          key,
          list.filter((it) => it.id !== id),
        );
      this.talks.tell("transcript");
      return null;
    },
    preview_context: ({ conversation }: { conversation: string }) => this.context(conversation),
  };
}
