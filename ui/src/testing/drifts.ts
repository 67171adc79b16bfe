import { grant } from "../../../e2e/lib/mcp.mjs";
import type { DriftPage, DriftView, MemoryPage, NewMemory, WriteResult } from "../ipc/bindings.gen";
import { asClient } from "./client";
import { type Core, EVERYTHING } from "./serve";

/** Writes a memory as the worldbuilder and gives its id. */
export async function write(core: Core, content: string, patch: Partial<NewMemory> = {}): Promise<string> {
  const memory: NewMemory = {
    scope: "workspace",
    channelId: null,
    conversationId: null,
    lifetime: "long_term",
    content,
    importance: 0.5,
    tags: [],
    ...patch,
  };
  return (await core.call<WriteResult>("create_memory", { memory })).detail.row.id;
}

/** Writes memories of the harbour's channel as an AI client does. */
export async function writeAsClient(core: Core, ...texts: string[]): Promise<void> {
  await grant(core.home, "Claude Desktop", {
    allow: ["channel:read", "channel:write"],
    join: ["harbour-guilds"],
  });
  const write = (content: string) =>
    ["memory_put", { tier: "channel", channel: "harbour-guilds", content }] as [string, object];
  await asClient(core, "Claude Desktop", texts.map(write));
}

/** The id of the memory that says this and nothing else. */
export async function idOfText(core: Core, text: string): Promise<string> {
  const request = { filter: EVERYTHING, sort: "updated_desc", after: null, limit: 500 };
  const { rows } = await core.call<MemoryPage>("list_memories", { request });
  const row = rows.find(({ preview }) => preview === text);
  if (!row) throw new Error(`no memory says: ${text}`);
  return row.id;
}

/** Sets a fact as the worldbuilder and gives its id. */
export async function setFact(core: Core, category: string, key: string, value: string): Promise<string> {
  const request = { category, key, value, conversation: null, holds: null, calendar: null };
  return (await core.call<{ fact: { id: string } }>("set_fact", { request })).fact.id;
}

/** Every contradiction as the core has it, newest first. */
export async function driftsOf(core: Core): Promise<DriftView[]> {
  const request = { state: null, after: null, limit: 100 };
  return (await core.call<DriftPage>("list_drifts", { request })).rows;
}
