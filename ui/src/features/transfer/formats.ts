import type { I18n } from "../../i18n/i18n";
import type { TransferFormat } from "../../ipc/bindings.gen";

/** What is written, with the ending a new file gets; null: a folder. */
export const WRITTEN = [
  { format: "inklings", ending: "json", name: "memory.inklings.json" },
  { format: "sillytavern", ending: "json", name: "world-info.json" },
  { format: "lorebook_v3", ending: "json", name: "lorebook.json" },
  { format: "character_card", ending: "json", name: "card.json" },
  { format: "novelai", ending: "lorebook", name: "memory.lorebook" },
  { format: "novelcrafter", ending: "zip", name: "codex.zip" },
  { format: "mcp_jsonl", ending: "jsonl", name: "memory.jsonl" },
  { format: "graphml", ending: "graphml", name: "world.graphml" },
  { format: "markdown", ending: null, name: "memory" },
] as const satisfies readonly { format: TransferFormat; ending: string | null; name: string }[];

export type Written = (typeof WRITTEN)[number]["format"];

/** What is read. */
export const READ: readonly TransferFormat[] = [
  "inklings",
  "sillytavern",
  "character_card",
  "lorebook_v3",
  "novelai",
  "novelcrafter",
  "ai_dungeon",
  "janitor_ai",
  "risu",
  "kobold_ai",
  "agnai",
  "claude_memories",
  "mem0",
  "letta",
  "mcp_jsonl",
  "markdown",
  "jsonl",
];

/** The endings of files that can be imported. */
export const ENDINGS = [
  "json",
  "inklings",
  "jsonl",
  "md",
  "zip",
  "png",
  "jpg",
  "jpeg",
  "charx",
  "lorebook",
  "scenario",
  "story",
  "af",
  "txt",
];

const ROWS = [
  "channels",
  "conversations",
  "memories",
  "named_entries",
  "messages",
  "episodes",
  "facts",
  "scratchpads",
  "journal",
  "entries",
] as const;

/** The name of a kind of rows, for people: the core sends that of the file. One that this window does not know keeps it. */
export function rowsName(what: string, { t }: Pick<I18n, "t">): string {
  const known = ROWS.find((it) => it === what);
  return known ? t(`transfer.rows.${known}`) : what;
}
