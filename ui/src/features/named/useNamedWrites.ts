import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useToasts } from "../../components/toast";
import { useI18n } from "../../i18n/i18n";
import type { MemoryDetail, NamedEntryView, NamedWritten, Scope } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { hasCode, toCommandError } from "../../ipc/errors";
import { keys } from "../../ipc/keys";
import { accept, getUnsaved, rebase, save, settleStale } from "./drafts";

/** Every write of the Named entries page but the text itself, which is written as it is typed. */
export function useNamedWrites() {
  const { t } = useI18n();
  const { notify, undoable, failed } = useToasts();
  const client = useQueryClient();
  return useMemo(() => {
    const back = (changeId: string) => async () => {
      await core.undoChange(changeId);
      notify(t("named.done.undone"));
    };
    /** What waits is written first, so that neither write stands in the other's way. */
    const settled = async (entry: NamedEntryView) => {
      await save(client, entry.id);
      const all = client.getQueryData<NamedEntryView[]>(keys.named);
      return all?.find((it) => it.id === entry.id) ?? entry;
    };
    const took = (before: NamedEntryView, { entry, changeId }: NamedWritten, text: string) => {
      rebase(entry.id, before.version, entry.version);
      accept(client, entry);
      if (changeId === "") notify(text);
      else undoable(text, back(changeId));
    };
    return {
      /** These three throw what the core refuses, so that it can be said at the field. */
      add: async (scope: Scope, name: string) => {
        const { entry, changeId } = await core.addNamedEntry({ scope, name, content: "" });
        client.setQueryData<NamedEntryView[]>(keys.named, (all) => all && [...all, entry]);
        undoable(t("named.done.created", { name: entry.name }), back(changeId));
        return entry.id;
      },
      rename: async (entry: NamedEntryView, name: string) => {
        const now = await settled(entry);
        const written = await core.renameNamedEntry(now.id, now.version, name);
        took(now, written, t("named.done.renamed", { name: written.entry.name }));
      },
      alias: async (entry: NamedEntryView, alias: string, rebind: boolean) => {
        const now = await settled(entry);
        const written = await core.aliasNamedEntry(now.id, now.version, alias, rebind);
        took(now, written, t("named.done.aliased", { name: now.name, alias }));
      },
      remove: async (entry: NamedEntryView) => {
        try {
          const now = await settled(entry);
          const changeId = await core.removeNamedEntry(now.id, now.version);
          undoable(
            t(entry.standing ? "named.done.emptied" : "named.done.removed", { name: entry.name }),
            back(changeId),
          );
          return true;
        } catch (error) {
          failed(error);
          return false;
        }
      },
      /** Mine goes on top of theirs; theirs is in the history. */
      keepMine: async (id: string, theirs: MemoryDetail, mine: string) => {
        try {
          const { entry } = await core.writeNamedEntry(id, theirs.row.version, mine);
          settleStale(client, entry, mine);
          notify(t("named.done.mine"));
        } catch (error) {
          failed(error);
        }
      },
      /** Theirs stays on top; mine is written beneath it, so that the history holds both. */
      keepTheirs: async (id: string, theirs: MemoryDetail) => {
        const mine = getUnsaved(id)?.content;
        if (mine === undefined) return;
        try {
          const under = await core.writeNamedEntry(id, theirs.row.version, mine);
          const { entry } = await core.writeNamedEntry(id, under.entry.version, theirs.content);
          settleStale(client, entry, mine);
          notify(t("named.done.theirs"));
        } catch (error) {
          failed(error);
        }
      },
    };
  }, [client, t, notify, undoable, failed]);
}

/** The message of a name that is taken, or null for another failure. */
export function takenMessage(thrown: unknown): string | null {
  return hasCode(thrown, "already_exists") ? toCommandError(thrown).message : null;
}
