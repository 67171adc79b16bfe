import { ask } from "../../../e2e/lib/app.mjs";
import { grant } from "../../../e2e/lib/mcp.mjs";
import type { DriftPage, DriftView, FactView, MemoryPage, NewMemory, WriteResult } from "../ipc/bindings.gen";
import { asClient } from "./client";
import { WORLD } from "./fixtures/folders";
import { claimId, LEDGER } from "./fixtures/ids";
import { type Core, EVERYTHING, type Home } from "./serve";

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

/**
 * Writes canon and then a message against it, before the window opens. A look of the window that began before the canon was
 * written would take the message as compared.
 */
export async function messageAgainst(home: Home, canon: string, message: string): Promise<void> {
  const inWorld = (...args: string[]) => ask(home, "--workspace", WORLD, ...args);
  await inWorld("memory", "add", canon, "--scope", "workspace");
  await inWorld("conversation", "say", LEDGER, message, "--no-answer");
}

/** Sets a fact as an agent does. Against a fact of the worldbuilder it is a claim. */
export const claim = (core: Core, category: string, key: string, value: string): Promise<unknown> =>
  core.cli("fact", "set", category, key, value, "--curator", "agent");

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

/** Rejects the claim that comes with the folders, so that the inbox begins without one. */
export async function withoutClaim(home: Home): Promise<void> {
  await ask(home, "--workspace", WORLD, "fact", "settle", claimId(1), "reject");
}

/** Facts of the worldbuilder against which something is claimed, as the core has them. */
export async function claimedOf(core: Core): Promise<FactView[]> {
  const request = { state: "open", after: null, limit: 100 };
  return (await core.call<DriftPage>("list_drifts", { request })).claimed;
}
