import type {
  Change,
  ChangeAction,
  ChangeTopic,
  ChannelView,
  ClientGrants,
  ClientView,
  ClientWritesUndone,
  ClientWriteView,
  Door,
  Hand,
  JournalPage,
  JournalView,
  McpStatus,
  MemoryRow,
  NewClient,
  Snippets,
  WhyKept,
  WorkspaceView,
} from "../../ipc/bindings.gen";
import { type Entry, fail, HOUR, idOf } from "../store";

/** What the clients need of the rest of the stand-in. */
export type ClientsHost = {
  entries: Map<string, Entry>;
  readOnly: boolean;
  workspaces: WorkspaceView[];
  talks: { channels: ChannelView[] };
  activity: { journal: JournalView[] };
  write(
    action: ChangeAction,
    ids: string[],
    change: (entry: Entry) => void,
    hand?: Hand,
    door?: Door,
    runId?: string | null,
  ): Change;
  emit(topic: ChangeTopic): void;
};

const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();

/** Workspace read, and nothing else. */
export const FEWEST: ClientGrants = {
  tiers: (["conversation", "channel", "workspace", "account"] as const).map((scope) => ({
    scope,
    read: scope === "workspace",
    write: false,
  })),
  channels: [],
  conversations: [],
  capabilities: [],
};

/** MCP clients, their grants and what they wrote. */
export class Clients {
  clients: ClientView[] = [];
  status: McpStatus = {
    enabled: false,
    running: false,
    port: null,
    wantedPort: 7862,
    url: null,
    message: null,
  };
  /** Whether agents and tasks may add to memory. */
  memory = true;
  /** Ports that another program holds. */
  taken = new Set<number>();
  private wrote = new Map<string, { id: string; version: number; before: Entry; changeId: string }[]>();
  /** What clients wrote besides memory, and why some of it stays. */
  private beside: { client: string; wrote: ClientWriteView; stays: WhyKept | null }[] = [];
  private serial = 0;

  constructor(
    private readonly host: ClientsHost,
    some: boolean,
  ) {
    if (!some) return;
    const wide = structuredClone(FEWEST);
    for (const tier of wide.tiers)
      if (tier.scope === "workspace" || tier.scope === "channel") tier.write = true;
    for (const tier of wide.tiers) if (tier.scope === "channel") tier.read = true;
    wide.channels = ["ch-harbour"];
    wide.capabilities = ["propose"];
    this.clients = [
      this.make("Claude Desktop", wide, 400, 0.4),
      this.make("Cursor", FEWEST, 90, null),
      { ...this.make("old laptop", FEWEST, 900, 600), revokedAt: ago(500) },
    ];
  }

  private make(name: string, grants: ClientGrants, hours: number, seen: number | null): ClientView {
    this.serial += 1;
    return {
      id: `client-${this.serial}`,
      name,
      workspaceId: "ws-1",
      workspaceName: "The Drowned Coast",
      grants: structuredClone(grants),
      createdAt: ago(hours),
      lastSeenAt: seen === null ? null : ago(seen),
      revokedAt: null,
      writes: 0,
    };
  }

  /** What a client would have written besides memory. `stays`: why it cannot be taken back. */
  writesBeside(client: string, wrote: ClientWriteView, stays: WhyKept | null = null) {
    this.serial += 1;
    this.host.activity.journal.unshift({
      changeId: `beside-${this.serial}`,
      scope: "workspace",
      action: "create",
      hand: "agent",
      door: "mcp",
      runId: client,
      at: new Date().toISOString(),
      entries: 0,
      undoes: null,
      undoneBy: null,
      wrote,
    });
    this.beside.push({ client, wrote, stays });
    this.need(client).writes += 1;
    setTimeout(() => this.host.emit("transcript"), 5);
  }

  /** What a client would have written through its own door. */
  writesAs(client: string, n: number, content: string) {
    const entry = this.host.entries.get(idOf(n));
    if (!entry) throw fail("not_found", "No memory has this id.");
    const before = structuredClone(entry);
    const edit = (it: Entry) => {
      it.detail.content = content;
      it.detail.row.preview = content.slice(0, 400);
    };
    const { changeId: wrote } = this.host.write("edit", [idOf(n)], edit, "agent", "mcp", client);
    const list = this.wrote.get(client) ?? [];
    this.wrote.set(client, [
      ...list,
      { id: idOf(n), version: entry.detail.row.version, before, changeId: wrote },
    ]);
    this.need(client).writes += 1;
    setTimeout(() => this.host.emit("memories"), 5);
  }

  private need(id: string): ClientView {
    const found = this.clients.find((it) => it.id === id);
    if (!found) throw fail("not_found", "There is no such client.");
    return found;
  }

  private writable() {
    if (this.host.readOnly) throw fail("read_only", "The data folder cannot be written.");
  }

  private token(client: ClientView): NewClient {
    this.serial += 1;
    return { client, token: this.serial.toString(16).padStart(4, "0").repeat(16) };
  }

  private add(name: string, workspaceId: string): NewClient {
    this.writable();
    if (name.trim() === "" || name.length > 60)
      throw fail("invalid", "A name has 1 to 60 characters.", { field: "name" });
    if (this.clients.some((it) => it.name.toLowerCase() === name.toLowerCase()))
      throw fail("already_exists", "There is a client of that name.", { field: "name" });
    const workspace = this.host.workspaces.find((it) => it.id === workspaceId);
    if (!workspace) throw fail("not_found", "There is no such workspace.");
    const client = { ...this.make(name, FEWEST, 0, null), workspaceId, workspaceName: workspace.name };
    this.clients.push(client);
    return this.token(client);
  }

  private changes(id: string, before: number | null, limit: number): JournalPage {
    const all = this.host.activity.journal.filter((it) => it.runId === id);
    // Numbered from the oldest on, so that new ones do not move a page.
    const start = before === null ? 0 : all.length - before + 1;
    const next = start + limit < all.length ? String(all.length - start - limit + 1) : null;
    return { rows: all.slice(start, start + limit), next };
  }

  private undo(id: string) {
    this.writable();
    const client = this.need(id);
    const conflicts: MemoryRow[] = [];
    let restored = 0;
    for (const { id: entryId, version, before, changeId: wrote } of this.wrote.get(id) ?? []) {
      const entry = this.host.entries.get(entryId);
      if (!entry) continue;
      if (entry.detail.row.version !== version) {
        conflicts.push(entry.detail.row);
        continue;
      }
      const { changeId } = this.host.write("undo", [entryId], (it) => {
        const { row } = it.detail;
        it.detail = {
          ...structuredClone(before.detail),
          row: { ...before.detail.row, version: row.version },
        };
      });
      const change = this.host.activity.journal.find((it) => it.changeId === wrote);
      if (change) change.undoneBy = changeId;
      restored += 1;
    }
    client.writes = 0;
    const own = this.beside.filter((it) => it.client === id);
    return { restored, conflicts, writes: this.takenBack(own) };
  }

  private takenBack(own: { wrote: ClientWriteView; stays: WhyKept | null }[]): ClientWritesUndone {
    const back = (...kinds: ClientWriteView["kind"][]) =>
      own.filter((it) => it.stays === null && kinds.includes(it.wrote.kind)).length;
    const messages = back("message");
    return {
      facts: back("fact", "claim"),
      messages,
      answered: Math.min(messages, 1),
      notes: back("note"),
      switched: back("setting") > 0,
      proposals: 0,
      kept: own.flatMap(({ wrote, stays }) => (stays === null ? [] : [{ wrote, why: stays }])),
    };
  }

  private switchOn(enabled: boolean, port: number): McpStatus {
    this.writable();
    if (!Number.isInteger(port) || port < 1024 || port > 65_535)
      throw fail("invalid", "A port is between 1024 and 65535.", { field: "port" });
    let free = port;
    while (this.taken.has(free)) free += 1;
    this.status = {
      enabled,
      running: enabled,
      port: enabled ? free : null,
      wantedPort: port,
      url: enabled ? `http://127.0.0.1:${free}/mcp` : null,
      message: enabled && free !== port ? `Port ${port} is taken by another program; ${free} is used.` : null,
    };
    return this.status;
  }

  private snippets(id: string, token: string | null): Snippets {
    const { name } = this.need(id);
    const url = this.status.url ?? `http://127.0.0.1:${this.status.wantedPort}/mcp`;
    const header = `Bearer ${token ?? "THE_TOKEN_OF_THIS_CLIENT"}`;
    const json = (value: unknown) => JSON.stringify(value, null, 2);
    const http = { inklings: { type: "http", url, headers: { Authorization: header } } };
    const stdio = {
      inklings: { command: "inklings", args: ["mcp", "--workspace", "The Drowned Coast", "--client", name] },
    };
    const both = (servers: unknown) => [
      { program: "Claude Desktop", file: "claude_desktop_config.json", text: json({ mcpServers: servers }) },
      { program: "Claude Code", file: ".mcp.json", text: json({ mcpServers: servers }) },
      { program: "Cursor", file: "~/.cursor/mcp.json", text: json({ mcpServers: servers }) },
      { program: "VS Code", file: ".vscode/mcp.json", text: json({ servers }) },
    ];
    return { http: both(http), stdio: both(stdio) };
  }

  commands: Record<string, (args: never) => unknown> = {
    list_clients: () => this.clients,
    add_client: (a: { name: string; workspaceId: string }) => this.add(a.name, a.workspaceId),
    set_grants: ({ id, grants }: { id: string; grants: ClientGrants }) => {
      this.writable();
      return Object.assign(this.need(id), { grants });
    },
    renew_token: ({ id }: { id: string }) => {
      this.writable();
      return this.token(Object.assign(this.need(id), { revokedAt: null }));
    },
    revoke_client: ({ id }: { id: string }) => {
      this.writable();
      return Object.assign(this.need(id), { revokedAt: new Date().toISOString() });
    },
    client_changes: (a: { id: string; before: number | null; limit: number }) =>
      this.changes(a.id, a.before, a.limit),
    undo_client: ({ id }: { id: string }) => this.undo(id),
    mcp_status: () => this.status,
    set_mcp: (a: { enabled: boolean; port: number }) => this.switchOn(a.enabled, a.port),
    memory_enabled: () => this.memory,
    set_memory_enabled: ({ enabled }: { enabled: boolean }) => {
      this.writable();
      this.memory = enabled;
      return enabled;
    },
    client_snippets: (a: { id: string; token: string | null }) => this.snippets(a.id, a.token),
  };
}
