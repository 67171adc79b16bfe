import type { Change, ChangeAction, NamedEntryView, NamedWritten, Scope } from "../ipc/bindings.gen";
import { type Entry, entryFrom, fail, idOf } from "./store";

/** What the named entries need of the rest of the stand-in. */
export type NamedHost = {
  entries: Map<string, Entry>;
  readOnly: boolean;
  write(action: ChangeAction, ids: string[], change: (entry: Entry) => void): Change;
  plant(entry: Entry): Change;
};

const STANDING: { id: string; name: string; scope: Scope; placeholder: string }[] = [
  {
    id: "named-voice",
    name: "VOICE",
    scope: "workspace",
    placeholder:
      "How the World Agent sounds in this world: its tone, how long it speaks, what it never says. It reads this before every answer.",
  },
  {
    id: "named-soul",
    name: "SOUL",
    scope: "account",
    placeholder:
      "Who you are as an author, in every world: what you care about, how you like to work, what you never want to see.",
  },
];

const folded = (name: string) => name.trim().toLowerCase();

/** VOICE, SOUL and every entry with a name. */
export class Named {
  standing = new Map<string, Entry>();

  constructor(private readonly host: NamedHost) {
    for (const { id, name, scope } of STANDING) {
      const entry = entryFrom({ scope, text: "", name }, 0, Date.now());
      entry.detail.row.id = id;
      entry.detail.row.updatedAt = entry.detail.row.createdAt;
      this.standing.set(id, entry);
    }
  }

  private all(): Entry[] {
    const own = [...this.host.entries.values()].filter(
      ({ detail }) => detail.row.name !== null && !detail.forgotten,
    );
    const rank = (entry: Entry) => (entry.detail.row.scope === "workspace" ? 0 : 1);
    own.sort(
      (a, b) => rank(a) - rank(b) || (a.detail.row.name ?? "").localeCompare(b.detail.row.name ?? "", "en"),
    );
    return [...this.standing.values(), ...own];
  }

  private view({ detail }: Entry): NamedEntryView {
    const { row, content, aliases } = detail;
    const standing = STANDING.find((it) => it.id === row.id);
    return {
      id: row.id,
      name: row.name ?? "",
      aliases: [...aliases],
      scope: row.scope,
      content,
      placeholder: standing?.placeholder ?? "",
      standing: standing !== undefined,
      curator: row.curator,
      version: row.version,
      tokens: Math.ceil(content.length / 4),
      createdAt: row.createdAt,
      editedAt: standing && content === "" ? null : row.updatedAt,
    };
  }

  private need(id: string, version?: number, yours: string | null = null): Entry {
    const entry = this.all().find((it) => it.detail.row.id === id);
    if (!entry) throw fail("not_found", "There is no such named entry.");
    if (version !== undefined && entry.detail.row.version !== version)
      throw fail("stale_version", "The entry was changed in the meantime.", {
        current: structuredClone(entry.detail),
        yoursContent: yours,
      });
    return entry;
  }

  /** Who answers to a name, by name or alias. */
  private holder(name: string): Entry | undefined {
    const wanted = folded(name);
    return this.all().find(
      ({ detail }) =>
        folded(detail.row.name ?? "") === wanted || detail.aliases.some((it) => folded(it) === wanted),
    );
  }

  private checked(name: string, field: "name" | "alias", except?: string): string {
    if (name.trim() === "") throw fail("invalid", "A name needs a letter or two.", { field });
    const taken = this.holder(name);
    if (taken && taken.detail.row.id !== except)
      throw fail("already_exists", `“${name.trim()}” is the entry “${taken.detail.row.name}” already.`, {
        field,
      });
    return name.trim();
  }

  private written(id: string, change: (entry: Entry) => void, more: string[] = []): NamedWritten {
    const { changeId } = this.host.write("edit", [id, ...more], change);
    return { entry: this.view(this.need(id)), changeId };
  }

  private add({ scope, name, content }: { scope: Scope; name: string; content: string }): NamedWritten {
    const entry = entryFrom({ scope, text: content, name: this.checked(name, "name") }, 0, Date.now());
    const now = new Date().toISOString();
    const id = idOf(800_000 + this.host.entries.size);
    Object.assign(entry.detail.row, { id, createdAt: now, updatedAt: now, accessedAt: now });
    const { changeId } = this.host.plant(entry);
    return { entry: this.view(this.need(id)), changeId };
  }

  private alias(id: string, version: number, text: string, rebind: boolean): NamedWritten {
    this.need(id, version);
    const holder = this.holder(text);
    // A name cannot be taken away; an alias can, on purpose.
    const other = holder?.detail.row.id === id ? undefined : holder;
    const byName = other && folded(other.detail.row.name ?? "") === folded(text);
    const alias = !rebind || byName ? this.checked(text, "alias", id) : text.trim();
    if (holder?.detail.row.id === id) return { entry: this.view(holder), changeId: "" };
    return this.written(
      id,
      (entry) => {
        const { detail } = entry;
        detail.aliases = detail.aliases.filter((it) => folded(it) !== folded(alias));
        if (detail.row.id === id) detail.aliases.push(alias);
      },
      other ? [other.detail.row.id] : [],
    );
  }

  commands: Record<string, (args: never) => unknown> = {
    list_named_entries: () => this.all().map((it) => this.view(it)),
    add_named_entry: ({ request }: { request: { scope: Scope; name: string; content: string } }) =>
      this.add(request),
    write_named_entry: ({ id, version, content }: { id: string; version: number; content: string }) => {
      this.need(id, version, content);
      return this.written(id, ({ detail }) => {
        detail.content = content;
        detail.row.preview = content.slice(0, 400);
      });
    },
    rename_named_entry: ({ id, version, name }: { id: string; version: number; name: string }) => {
      this.need(id, version);
      const next = this.checked(name, "name", id);
      return this.written(id, ({ detail }) => {
        const old = detail.row.name ?? "";
        detail.aliases = detail.aliases.filter((it) => folded(it) !== folded(next));
        if (folded(old) !== folded(next)) detail.aliases.push(old);
        detail.row.name = next;
      });
    },
    alias_named_entry: (a: { id: string; version: number; alias: string; rebind: boolean }) =>
      this.alias(a.id, a.version, a.alias, a.rebind),
    remove_named_entry: ({ id, version }: { id: string; version: number }) => {
      this.need(id, version);
      const standing = this.standing.has(id);
      return this.host.write("forget", [id], ({ detail }) => {
        if (standing) {
          // Always there: what is removed is what was written.
          detail.content = "";
          detail.row.preview = "";
          detail.aliases = [];
          return;
        }
        const at = new Date().toISOString();
        detail.forgotten = { at, reason: "removed", note: null, runId: null };
        detail.row.forgottenAt = at;
      }).changeId;
    },
  };
}
