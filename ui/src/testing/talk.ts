import type {
  ChangeTopic,
  ChannelView,
  ConversationList,
  ConversationView,
  MessageHit,
  MessagePage,
  MessageSearch,
  MessageSearchRequest,
  MessageView,
  Said,
  Stretch,
  TurnProgress,
} from "../ipc/bindings.gen";
import { emitEvent } from "../ipc/mock";
import { spansOf } from "./query";
import { type Entry, fail, HOUR, idOf } from "./store";
import { generatedTalks, generatedTurns, TALKS, type TalkSeed } from "./talkSeeds";
import { CHANNELS } from "./world";

/** Which language model stands behind the conversations. */
export type ChatScenario = "none" | "ok" | "dead";

/** What the conversations need of the rest of the stand-in. */
export type Host = {
  entries: Map<string, Entry>;
  readOnly: boolean;
  modelState: string;
  emit(topic: ChangeTopic): void;
};

export type Talk = { view: ConversationView; messages: MessageView[] };

const ANSWER =
  "The tide decides, as it always has here. **Anselm** copies the page by green lamplight, and leaves one line out: the line with his own name. Nobody notices until slack water, when the lower doors open and the *other* copy comes up with the mud.";

/** Channels, conversations and what is said in them. */
export class Talks {
  channels: ChannelView[] = structuredClone(CHANNELS);
  talks = new Map<string, Talk>();
  chat: ChatScenario;
  /** Milliseconds between two pieces of an answer. */
  pace = 30;
  private answers = new Map<string, { timer: ReturnType<typeof setInterval>; message: MessageView }>();
  private serial = 0;

  constructor(
    readonly host: Host,
    scenario: { talks?: number | null; turns?: number; chat?: ChatScenario },
  ) {
    this.chat = scenario.chat ?? "none";
    if (scenario.talks === null) return;
    const seeds = [...TALKS, ...generatedTalks(scenario.talks ?? 12)];
    if (scenario.turns) {
      seeds.push({
        ref: "longTalk001",
        channel: "ch-general",
        title: "A very long evening",
        status: "active",
        age: 1,
        turns: generatedTurns(scenario.turns),
      });
    }
    for (const seed of seeds) this.plant(seed);
  }

  private plant(seed: TalkSeed) {
    const now = Date.now();
    const end = now - seed.age * HOUR;
    const step = seed.turns.length > 200 ? HOUR / 6 : HOUR / 20;
    const channel = this.channel(seed.channel);
    const id = `conv-${seed.ref}`;
    const at = (n: number) => new Date(end - (seed.turns.length - 1 - n) * step).toISOString();
    const messages = seed.turns.map(
      (turn, n): MessageView => ({
        id: `${seed.ref}-m${n + 1}`,
        conversationId: id,
        position: n + 1,
        role: turn.role,
        content: turn.text,
        importance: turn.importance ?? (turn.role === "user" ? 0.6 : 0.5),
        delivery: turn.delivery ?? "complete",
        tool: turn.tool ?? null,
        calls: turn.calls ?? [],
        marker: turn.marker
          ? { archiveId: idOf(6), archiveName: turn.marker, archivedAt: at(n), through: n - 2 }
          : null,
        speaker: turn.speaker ?? null,
        saidAt: null,
        at: at(n),
        updatedAt: at(n),
        consolidatedAt: null,
        tokens: Math.ceil(turn.text.length / 4),
      }),
    );
    this.talks.set(id, {
      messages,
      view: {
        id,
        refCode: seed.ref,
        channelId: channel.id,
        channelName: channel.name,
        title: seed.title,
        status: seed.status,
        startedAt: at(0),
        endedAt: seed.status === "active" ? null : new Date(end).toISOString(),
        activeAt: new Date(end).toISOString(),
        messages: messages.length,
        memories: 0,
        continues: null,
        answering: false,
      },
    });
  }

  channel(id: string): ChannelView {
    const channel = this.channels.find((it) => it.id === id);
    if (!channel) throw fail("not_found", "No such channel.");
    return channel;
  }

  need(ref: string): Talk {
    const talk = this.talks.get(ref) ?? [...this.talks.values()].find((it) => it.view.refCode === ref);
    if (!talk) throw fail("not_found", "No such conversation.");
    return talk;
  }

  /** The conversation as it is asked for: counts are counted, not kept. */
  view(talk: Talk): ConversationView {
    const { view } = talk;
    const memories = [...this.host.entries.values()].filter(
      ({ detail }) => detail.row.conversationId === view.id && !detail.forgotten,
    ).length;
    return {
      ...view,
      channelName: this.channels.find((it) => it.id === view.channelId)?.name ?? "",
      messages: talk.messages.length,
      memories,
      answering: this.answers.has(view.id),
    };
  }

  writable() {
    if (this.host.readOnly) throw fail("read_only", "The data folder cannot be written.");
  }

  /** Soon, as the core's own feed would. */
  tell(...topics: ChangeTopic[]) {
    setTimeout(() => {
      for (const topic of topics) this.host.emit(topic);
    }, 5);
  }

  private listed({ channelId, statuses, after, limit }: ConversationList) {
    const wanted = statuses.length > 0 ? statuses : ["active", "idle"];
    const rows = [...this.talks.values()]
      .filter(({ view }) => (channelId ? view.channelId === channelId : true) && wanted.includes(view.status))
      .map((talk) => this.view(talk))
      .sort((a, b) => (a.activeAt < b.activeAt ? 1 : -1));
    const start = after ? rows.findIndex((it) => it.id === after) + 1 : 0;
    const page = rows.slice(start, start + limit);
    return { rows: page, next: start + limit < rows.length ? (page.at(-1)?.id ?? null) : null };
  }

  private start(channelId: string | null, title: string, continues: ConversationView | null = null) {
    this.writable();
    this.serial += 1;
    const channel = this.channel(channelId ?? "ch-general");
    if (channel.archivedAt) throw fail("invalid", "This channel is archived.", { field: "channel" });
    const now = new Date().toISOString();
    const refCode = `new${String(this.serial).padStart(8, "0")}`;
    const view: ConversationView = {
      id: `conv-${refCode}`,
      refCode,
      channelId: channel.id,
      channelName: channel.name,
      title,
      status: "active",
      startedAt: now,
      endedAt: null,
      activeAt: now,
      messages: 0,
      memories: 0,
      continues: continues && { id: continues.id, refCode: continues.refCode, title: continues.title },
      answering: false,
    };
    this.talks.set(view.id, { view, messages: [] });
    this.tell("channels");
    return view;
  }

  private change(ref: string, change: (talk: Talk) => void): ConversationView {
    this.writable();
    const talk = this.need(ref);
    change(talk);
    this.tell("channels");
    return this.view(talk);
  }

  private end(ref: string, status: "idle" | "archived") {
    return this.change(ref, (talk) => {
      if (talk.view.status === status) throw fail("invalid", `This conversation is ${status} already.`);
      if (talk.view.status === "archived") throw fail("invalid", "An archived conversation stays archived.");
      talk.view.status = status;
      talk.view.endedAt ??= new Date().toISOString();
    });
  }

  private stretch(ref: string, stretch: Stretch, limit: number): MessagePage {
    const { messages } = this.need(ref);
    const at = stretch.kind === "newest" ? 0 : stretch.position;
    let from: number;
    let to: number;
    if (stretch.kind === "after") {
      from = messages.findIndex((it) => it.position > at);
      if (from < 0) from = messages.length;
      to = Math.min(messages.length, from + limit);
    } else {
      const end = stretch.kind === "newest" ? -1 : messages.findIndex((it) => it.position >= at);
      to = end < 0 ? messages.length : end;
      from = Math.max(0, to - limit);
    }
    return { messages: messages.slice(from, to), earlier: from > 0, later: to < messages.length };
  }

  append(talk: Talk, part: Partial<MessageView> & Pick<MessageView, "role" | "content">): MessageView {
    const position = (talk.messages.at(-1)?.position ?? 0) + 1;
    const now = new Date().toISOString();
    const message: MessageView = {
      id: `${talk.view.refCode}-m${position}-${talk.messages.length}`,
      conversationId: talk.view.id,
      position,
      importance: part.role === "user" ? 0.6 : 0.5,
      delivery: "complete",
      tool: null,
      calls: [],
      marker: null,
      speaker: null,
      saidAt: null,
      at: now,
      updatedAt: now,
      consolidatedAt: null,
      tokens: Math.ceil(part.content.length / 4),
      ...part,
    };
    talk.messages.push(message);
    talk.view.activeAt = now;
    return message;
  }

  private say(ref: string, text: string): Said {
    this.writable();
    const talk = this.need(ref);
    if (talk.view.status !== "active") throw fail("invalid", "This conversation has ended.");
    if (text.trim() === "") throw fail("invalid", "There is nothing to say.", { field: "text" });
    const message = this.append(talk, { role: "user", content: text });
    this.tell("transcript");
    if (this.chat === "none") return { message, answering: false };
    this.answer(talk);
    return { message, answering: true };
  }

  private answer(talk: Talk) {
    const conversationId = talk.view.id;
    const message = this.append(talk, { role: "assistant", content: "", delivery: "streaming" });
    const send = (progress: Partial<TurnProgress> & Pick<TurnProgress, "step">) =>
      void emitEvent.turnProgress.emit({
        conversationId,
        messageId: message.id,
        text: null,
        length: message.content.length,
        error: null,
        ...progress,
      });
    const pieces = ANSWER.match(/\S+\s*/g) ?? [];
    const timer = setInterval(() => {
      if (this.chat === "dead") {
        message.delivery = "failed";
        this.finish(conversationId);
        send({ step: "failed", error: "Nothing answers at http://localhost:11434." });
        return;
      }
      const text = pieces.shift();
      if (text === undefined) {
        message.delivery = "complete";
        this.finish(conversationId);
        send({ step: "done" });
        return;
      }
      message.content += text;
      send({ step: "text", text });
    }, this.pace);
    this.answers.set(conversationId, { timer, message });
    setTimeout(() => send({ step: "started" }), 0);
  }

  private finish(id: string) {
    const running = this.answers.get(id);
    if (!running) return;
    clearInterval(running.timer);
    this.answers.delete(id);
    this.tell("transcript");
  }

  private cancel(ref: string) {
    const { view } = this.need(ref);
    const running = this.answers.get(view.id);
    if (!running) return null;
    running.message.delivery = "cancelled";
    const { id, content } = running.message;
    this.finish(view.id);
    void emitEvent.turnProgress.emit({
      conversationId: view.id,
      messageId: id,
      step: "cancelled",
      text: null,
      length: content.length,
      error: null,
    });
    return null;
  }

  private again(ref: string) {
    this.writable();
    const talk = this.need(ref);
    if (this.chat === "none") throw fail("model_unavailable", "No language model is connected.");
    const last = talk.messages.at(-1);
    if (last?.role === "assistant" && last.delivery !== "complete") talk.messages.pop();
    this.answer(talk);
    return null;
  }

  private search({ query, conversation, channelId, archived, limit }: MessageSearchRequest): MessageSearch {
    const terms = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const hits: MessageHit[] = [];
    const here = conversation ? this.need(conversation).view.id : null;
    for (const { view, messages } of this.talks.values()) {
      if (here && view.id !== here) continue;
      if (channelId && view.channelId !== channelId) continue;
      if (!archived && view.status === "archived") continue;
      for (const message of messages) {
        if (message.role === "tool" || message.role === "system") continue;
        const text = message.content.toLowerCase();
        const found = terms.filter((term) => text.includes(term)).length;
        if (found === 0 || found < terms.length) continue;
        const first = spansOf(message.content, terms)[0]?.start ?? 0;
        const from = first > 120 ? message.content.indexOf(" ", first - 60) + 1 : 0;
        const snippet = (from > 0 ? "… " : "") + message.content.slice(from, from + 220);
        hits.push({
          message,
          conversation: { id: view.id, refCode: view.refCode, title: view.title },
          snippet,
          spans: spansOf(snippet, terms),
          score: found,
          parts: [{ list: "text", score: found }],
        });
      }
    }
    hits.sort((a, b) => (a.message.at < b.message.at ? 1 : -1));
    const hybrid = this.host.modelState === "ready";
    return {
      hits: hits.slice(0, limit),
      mode: hybrid ? "hybrid" : "text",
      modeReason: hybrid ? null : "no model",
      tookMs: 1.8,
    };
  }

  listChannels(): ChannelView[] {
    const all = [...this.talks.values()].map((it) => it.view);
    return this.channels.map((channel) => ({
      ...channel,
      memories: [...this.host.entries.values()].filter(
        ({ detail: { row } }) => row.channelId === channel.id && row.scope === "channel",
      ).length,
      conversations: all.filter((it) => it.channelId === channel.id && it.status !== "archived").length,
      archivedConversations: all.filter((it) => it.channelId === channel.id && it.status === "archived")
        .length,
    }));
  }

  private named(id: string | null, name: string) {
    if (name.trim() === "") throw fail("invalid", "The channel name is empty.", { field: "channel name" });
    const folded = name.trim().toLowerCase();
    if (this.channels.some((it) => it.id !== id && it.name.toLowerCase() === folded))
      throw fail("already_exists", "There is already a channel of this name.");
  }

  private editChannel(id: string, change: (channel: ChannelView) => void): ChannelView {
    this.writable();
    const channel = this.channel(id);
    change(channel);
    this.tell("channels");
    return this.listChannels().find((it) => it.id === id) as ChannelView;
  }

  private dropChannel(id: string, heir: string | null) {
    this.writable();
    const channel = this.listChannels().find((it) => it.id === id) as ChannelView;
    if (channel.isDefault) throw fail("invalid", "#general always stays.");
    const full = channel.conversations + channel.archivedConversations + channel.memories > 0;
    if (full && !heir)
      throw fail("invalid", "Say where its conversations and memories go.", { field: "heir" });
    for (const { view } of this.talks.values()) if (view.channelId === id && heir) view.channelId = heir;
    for (const { detail } of this.host.entries.values())
      if (detail.row.channelId === id && heir) detail.row.channelId = heir;
    this.channels = this.channels.filter((it) => it.id !== id);
    this.tell("channels", "memories");
    return null;
  }

  commands: Record<string, (args: never) => unknown> = {
    list_channels: () => this.listChannels(),
    create_channel: ({ name, description }: { name: string; description: string }) => {
      this.writable();
      this.named(null, name);
      this.serial += 1;
      const id = `ch-new-${this.serial}`;
      this.channels.push({
        id,
        name,
        description,
        isDefault: false,
        createdAt: new Date().toISOString(),
        archivedAt: null,
        memories: 0,
        conversations: 0,
        archivedConversations: 0,
      });
      return this.editChannel(id, () => undefined);
    },
    update_channel: (a: { id: string; name: string | null; description: string | null }) =>
      this.editChannel(a.id, (channel) => {
        if (a.name !== null) {
          this.named(a.id, a.name);
          channel.name = a.name;
        }
        if (a.description !== null) channel.description = a.description;
      }),
    archive_channel: ({ id }: { id: string }) =>
      this.editChannel(id, (channel) => {
        if (channel.isDefault) throw fail("invalid", "#general always stays.");
        channel.archivedAt = new Date().toISOString();
      }),
    restore_channel: ({ id }: { id: string }) =>
      this.editChannel(id, (channel) => {
        channel.archivedAt = null;
      }),
    delete_channel: ({ id, heir }: { id: string; heir: string | null }) => this.dropChannel(id, heir),
    start_conversation: ({ channelId, title }: { channelId: string | null; title: string }) =>
      this.start(channelId, title),
    list_conversations: ({ request }: { request: ConversationList }) => this.listed(request),
    get_conversation: ({ conversation }: { conversation: string }) => this.view(this.need(conversation)),
    rename_conversation: ({ conversation, title }: { conversation: string; title: string }) =>
      this.change(conversation, ({ view }) => {
        view.title = title;
      }),
    move_conversation: ({ conversation, channelId }: { conversation: string; channelId: string }) =>
      this.change(conversation, ({ view }) => {
        view.channelId = this.channel(channelId).id;
      }),
    idle_conversation: ({ conversation }: { conversation: string }) => this.end(conversation, "idle"),
    archive_conversation: ({ conversation }: { conversation: string }) => this.end(conversation, "archived"),
    continue_conversation: ({ conversation }: { conversation: string }) => {
      const { view } = this.need(conversation);
      if (view.status === "active") throw fail("invalid", "This conversation has not ended.");
      return this.start(view.channelId, view.title, view);
    },
    delete_conversation: ({ conversation }: { conversation: string }) => {
      this.writable();
      const { view } = this.need(conversation);
      this.talks.delete(view.id);
      const at = new Date().toISOString();
      for (const { detail } of this.host.entries.values()) {
        if (detail.row.conversationId !== view.id) continue;
        detail.forgotten = { at, reason: "conversation_deleted", note: null, runId: null };
        detail.row.forgottenAt = at;
      }
      this.tell("channels", "transcript", "memories");
      return null;
    },
    list_messages: (a: { conversation: string; stretch: Stretch; limit: number }) =>
      this.stretch(a.conversation, a.stretch, a.limit),
    set_message_importance: ({ id, importance }: { id: string; importance: number }) => {
      this.writable();
      const message = [...this.talks.values()].flatMap((it) => it.messages).find((it) => it.id === id);
      if (!message) throw fail("not_found", "No such message.");
      message.importance = importance;
      this.tell("transcript");
      return message;
    },
    search_messages: ({ request }: { request: MessageSearchRequest }) => this.search(request),
    say: ({ conversation, text }: { conversation: string; text: string }) => this.say(conversation, text),
    answer_again: ({ conversation }: { conversation: string }) => this.again(conversation),
    cancel_answer: ({ conversation }: { conversation: string }) => this.cancel(conversation),
  };
}
