import type {
  CommandError,
  ErrorCode,
  ErrorDetails,
  HistoryItem,
  MemoryDetail,
  MemoryRow,
} from "../ipc/bindings.gen";
import { CHANNELS, type Seed } from "./world";

/** One memory of the in-memory backend, with its versions. */
export type Entry = { detail: MemoryDetail; history: HistoryItem[] };

export const HOUR = 3_600_000;

export function fail(
  code: ErrorCode,
  message: string,
  details: Partial<ErrorDetails> | null = null,
): CommandError {
  return {
    code,
    message,
    details: details && { field: null, current: null, yoursContent: null, ...details },
  };
}

export function idOf(n: number): string {
  return `0193f0c0-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
}

const RATE = { account: 0.999, workspace: 0.998, channel: 0.995, conversation: 0.99 } as const;

export function decayTerms(row: MemoryRow, now: number) {
  const hoursIdle = Math.max(0, (now - Date.parse(row.accessedAt)) / HOUR);
  const retention = row.pinned ? 1 : RATE[row.scope] ** hoursIdle;
  const frequencyBoost = 1 + Math.log(1 + row.accessCount);
  return { hoursIdle, retention, frequencyBoost, relevance: row.importance * retention * frequencyBoost };
}

export function rateOf(row: MemoryRow): number {
  return RATE[row.scope];
}

export function entryFrom(seed: Seed, n: number, now: number): Entry {
  const age = (n * 5.3 + ((n * n) % 17)) * HOUR;
  const created = new Date(now - age * 3 - 40 * HOUR).toISOString();
  const updated = new Date(now - age - 0.2 * HOUR).toISOString();
  const channel = CHANNELS.find((it) => it.id === seed.channel);
  const row: MemoryRow = {
    id: idOf(n),
    scope: seed.scope,
    lifetime: seed.lifetime ?? "long_term",
    curator: seed.curator ?? "author",
    source: seed.source ?? "window",
    kind: "note",
    name: seed.name ?? null,
    preview: seed.text.slice(0, 400),
    importance: seed.importance ?? 0.5,
    relevance: 0,
    tags: seed.tags ?? [],
    createdAt: created,
    updatedAt: updated,
    accessedAt: updated,
    accessCount: (n * 3) % 7,
    channelId: channel?.id ?? null,
    channelName: channel?.name ?? null,
    conversationId: seed.conversation ? `conv-${seed.conversation}` : null,
    conversationRef: seed.conversation ?? null,
    pinned: seed.pinned ?? false,
    version: 1,
    hasEmbedding: n % 23 !== 7,
    forgottenAt: null,
  };
  row.relevance = decayTerms(row, now).relevance;
  const detail: MemoryDetail = {
    row,
    content: seed.text,
    writtenBy: row.curator,
    origin: seed.speaker
      ? { externalId: null, session: "charter", speaker: seed.speaker, saidAt: created }
      : null,
    embeddingModel: row.hasEmbedding ? "all-MiniLM-L6-v2" : null,
    forgotten: null,
    consolidatedInto: null,
    derivedFrom: [],
    locked: row.curator !== "agent" || seed.name !== undefined,
    aliases: seed.aliases ?? [],
  };
  const entry: Entry = { detail, history: [] };
  record(entry, "create", created);
  return entry;
}

/** Notes the present state of an entry as the newest item of its history. */
export function record(
  entry: Entry,
  action: HistoryItem["action"],
  at: string,
  hand?: HistoryItem["hand"],
  door: HistoryItem["door"] = "window",
) {
  const { row, content, writtenBy, forgotten } = entry.detail;
  entry.history = [
    {
      version: row.version,
      content,
      importance: row.importance,
      tags: [...row.tags],
      lifetime: row.lifetime,
      forgotten: forgotten !== null,
      pinned: row.pinned,
      action,
      hand: hand ?? writtenBy,
      door,
      runId: null,
      at,
      current: true,
    },
    ...entry.history.map((item) => ({ ...item, current: false })),
  ];
}
