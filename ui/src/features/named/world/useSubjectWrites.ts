import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useKindName } from "../../../components/SubjectKind";
import { useToasts } from "../../../components/toast";
import { useI18n } from "../../../i18n/i18n";
import type { NewRelation } from "../../../ipc/bindings.gen";
import { core } from "../../../ipc/client";
import { keys } from "../../../ipc/keys";

type Versioned = { id: string; version: number; name: string };

/** Every write of the World page but those of the named entry itself. */
export function useSubjectWrites() {
  const { t } = useI18n();
  const client = useQueryClient();
  const { done, failed } = useToasts();
  const nameOf = useKindName();
  return useMemo(
    () => ({
      /** Throws what the core refuses, so that it can be said at the field. Gives the id. */
      add: async (name: string, kind: string) => {
        const { change, detail } = await core.addSubject(name, kind, "");
        // The page shows what both lists hold.
        await Promise.all([
          client.invalidateQueries({ queryKey: keys.named }),
          client.invalidateQueries({ queryKey: keys.subjects }),
          client.invalidateQueries({ queryKey: keys.suggestions }),
        ]);
        done(t("named.done.created", { name }), change);
        return detail.row.id;
      },
      /** True if it was written. */
      setKind: async ({ id, version, name }: Versioned, kind: string | null) => {
        try {
          const { change } = await core.setSubject(id, version, kind);
          const text =
            kind === null
              ? t("world.done.noKind", { name })
              : t("world.done.kind", { name, kind: nameOf(kind) });
          done(text, change);
          return true;
        } catch (error) {
          failed(error);
          return false;
        }
      },
      /** Throws what the core refuses, so that it can be said at the field. */
      relate: async (relation: NewRelation) => {
        const { change, detail } = await core.addRelation(relation);
        done(t("world.done.related", { sentence: detail.content }), change);
      },
      unrelate: async (id: string, sentence: string) => {
        try {
          done(t("world.done.unrelated", { sentence }), await core.forgetMemories([id], ""));
        } catch (error) {
          failed(error);
        }
      },
    }),
    [client, t, done, failed, nameOf],
  );
}
