import { useMemo } from "react";
import { useToasts } from "../../../components/toast";
import { useI18n } from "../../../i18n/i18n";
import type { ClaimView, FactView } from "../../../ipc/bindings.gen";
import { core } from "../../../ipc/client";

/** Every write of facts. Where the value before is known, the toast offers it back. */
export function useFactWrites() {
  const { t } = useI18n();
  const { notify, undoable, failed } = useToasts();
  return useMemo(() => {
    const back = (fact: { category: string; key: string }, value: string) => async () => {
      await core.setFact(fact.category, fact.key, value, null);
    };
    return {
      /** Throws what the core refuses, so that the dialog can show it at the field. */
      set: async (category: string, key: string, value: string, ref: string, before: string | undefined) => {
        const { fact } = await core.setFact(category, key, value, ref);
        const undo =
          before === undefined
            ? async () => {
                await core.removeFact(fact.id);
              }
            : back({ category, key }, before);
        undoable(t("fact.done.set"), undo);
      },
      remove: async (fact: FactView) => {
        try {
          await core.removeFact(fact.id);
          undoable(t("fact.done.removed"), back(fact, fact.value));
        } catch (error) {
          failed(error);
        }
      },
      settle: async (claim: ClaimView, fact: FactView, accept: boolean) => {
        try {
          await core.settleClaim(claim.id, accept);
          if (accept) undoable(t("fact.done.accepted"), back(fact, fact.value));
          else notify(t("fact.done.kept"));
        } catch (error) {
          failed(error);
        }
      },
    };
  }, [t, notify, undoable, failed]);
}
