import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useToasts } from "../../components/toast";
import { useI18n } from "../../i18n/i18n";
import type {
  Change,
  Lifetime,
  MemoryDetail,
  MemoryPatch,
  MemoryRow,
  MoveTarget,
  NewMemory,
  WriteResult,
} from "../../ipc/bindings.gen";
import { writeEntry } from "../../ipc/changes";
import { core } from "../../ipc/client";
import { hasCode, toCommandError } from "../../ipc/errors";
import { keys } from "../../ipc/keys";
import { contestDraft, rebaseDraft, settleDraft } from "./drafts";

/** Every write of the Memory page. Each says what it did with a way back, or why it could not. */
export function useWrites() {
  const { t, number } = useI18n();
  const { done, notify, failed } = useToasts();
  const client = useQueryClient();

  return useMemo(() => {
    const write = (work: () => Promise<WriteResult>) => writeEntry(client, work);
    const accept = ({ change, detail }: WriteResult, text: string) => {
      done(text, change);
      return detail;
    };

    const bulk = async (work: Promise<Change>, text: (count: number) => string) => {
      try {
        const change = await work;
        done(text(change.affected.length), change);
        return true;
      } catch (error) {
        failed(error);
        return false;
      }
    };

    const describePatch = (patch: MemoryPatch): string => {
      if (typeof patch.pinned === "boolean")
        return t(patch.pinned ? "memory.done.pinned" : "memory.done.unpinned");
      if (typeof patch.importance === "number") {
        return t("memory.done.importance", { value: number(patch.importance, { minimumFractionDigits: 2 }) });
      }
      if (typeof patch.title === "string") return t("memory.done.title");
      if (patch.keys) return t("memory.done.keys");
      if (patch.tags) return t("memory.done.tagged", { count: 1 });
      if (patch.lifetime) return t("memory.done.lifetime", { count: 1 });
      return t("memory.done.saved");
    };

    /**
     * Changes properties, never the text. A stale version is no conflict here: the one field is set on top of
     * whatever the text has become, and the history keeps both.
     */
    const patch = async (row: MemoryRow, fields: MemoryPatch) => {
      try {
        const result = await write(() => core.updateMemory(row.id, row.version, fields));
        rebaseDraft(row.id, row.version, result.detail.row.version);
        accept(result, describePatch(fields));
      } catch (error) {
        const { current } = toCommandError(error).details ?? {};
        if (!hasCode(error, "stale_version") || !current) {
          failed(error);
          return;
        }
        try {
          accept(
            await write(() => core.updateMemory(row.id, current.row.version, fields)),
            describePatch(fields),
          );
        } catch (again) {
          failed(again);
        }
      }
    };

    /** Saves text written on top of `version`. On a conflict the draft keeps both versions. */
    const saveContent = async (
      id: string,
      version: number,
      content: string,
    ): Promise<MemoryDetail | null> => {
      try {
        const result = await write(() => core.updateMemory(id, version, { content }));
        settleDraft(id, content, result.detail.row.version);
        return accept(result, t("memory.done.saved"));
      } catch (error) {
        const { current } = toCommandError(error).details ?? {};
        if (hasCode(error, "stale_version") && current) {
          contestDraft(id, version, current);
          client.setQueryData(keys.detail(id), current);
        } else {
          failed(error);
        }
        return null;
      }
    };

    /** Theirs stays on top; mine is written beneath it, so that the history holds both. */
    const keepTheirs = async (id: string, theirs: MemoryDetail, mine: string) => {
      try {
        const patch = { content: mine };
        const { detail } = await core.updateMemory(id, theirs.row.version, patch);
        const restored = await write(() => core.restoreVersion(id, theirs.row.version, detail.row.version));
        settleDraft(id, mine, restored.detail.row.version);
        notify(t("conflict.kept"));
      } catch (error) {
        const { current } = toCommandError(error).details ?? {};
        if (hasCode(error, "stale_version") && current) {
          contestDraft(id, theirs.row.version, current);
        } else {
          failed(error);
        }
      }
    };

    const restoreVersion = async (row: MemoryRow, version: number) => {
      try {
        const result = await write(() => core.restoreVersion(row.id, version, row.version));
        accept(result, t("memory.done.version", { version }));
      } catch (error) {
        failed(error);
      }
    };

    const create = async (memory: NewMemory): Promise<MemoryDetail> =>
      accept(await write(() => core.createMemory(memory, null)), t("memory.done.created"));

    return {
      create,
      patch,
      saveContent,
      keepTheirs,
      restoreVersion,
      forget: (ids: string[]) =>
        bulk(core.forgetMemories(ids, null), (count) => t("memory.done.forgotten", { count })),
      restore: (ids: string[]) =>
        bulk(core.restoreMemories(ids), (count) => t("memory.done.restored", { count })),
      tag: (ids: string[], add: string[], remove: string[]) =>
        bulk(core.tagMemories(ids, add, remove), (count) => t("memory.done.tagged", { count })),
      lifetime: (ids: string[], lifetime: Lifetime) =>
        bulk(core.setMemoryProperties(ids, { lifetime }), (count) => t("memory.done.lifetime", { count })),
      importance: (ids: string[], importance: number) =>
        bulk(core.setMemoryProperties(ids, { importance }), (count) =>
          t("memory.done.importances", { count }),
        ),
      pin: (ids: string[], pinned: boolean) =>
        bulk(core.setMemoryProperties(ids, { pinned }), (count) =>
          t(pinned ? "memory.done.pins" : "memory.done.unpins", { count }),
        ),
      move: (ids: string[], to: MoveTarget) =>
        bulk(core.moveMemories(ids, to), () =>
          t(to.workspaceId === null ? "memory.done.moved" : "memory.done.movedElsewhere", {
            count: ids.length,
          }),
        ),
    };
  }, [client, t, number, done, notify, failed]);
}
