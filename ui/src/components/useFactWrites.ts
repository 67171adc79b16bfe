import { useMemo } from "react";
import { useI18n } from "../i18n/i18n";
import type { ClaimView, FactView, NewFact } from "../ipc/bindings.gen";
import { core } from "../ipc/client";
import { useToasts } from "./toast";

/** Every write of facts. Where the value before is known, the toast offers it back. */
export function useFactWrites() {
  const { t } = useI18n();
  const { notify, undoable, failed } = useToasts();
  return useMemo(() => {
    const back = (fact: FactView) => async () => {
      await core.changeFact(fact.id, fact.value, null);
    };
    return {
      /** Throws what the core refuses, so that the dialog can show it at the field; so do the next two. */
      set: async (added: NewFact) => {
        const { fact } = await core.setFact(added);
        undoable(t("fact.done.set"), async () => {
          // What exists already gets another version. A new fact, and one that was removed before, has no value to restore.
          const history = await core.factHistory(fact.id);
          const before = history.find(({ version }) => version === fact.version - 1);
          if (before && !before.removed) await core.changeFact(fact.id, before.value, null);
          else await core.removeFact(fact.id);
        });
      },
      change: async (fact: FactView, value: string, ref: string | null) => {
        await core.changeFact(fact.id, value, ref);
        undoable(t("fact.done.set"), back(fact));
      },
      setTime: async (fact: FactView, dates: string, calendar: string | null) => {
        await core.setFactTime(fact.id, dates, calendar);
        notify(t("time.done"));
      },
      remove: async (fact: FactView) => {
        try {
          await core.removeFact(fact.id);
          undoable(t("fact.done.removed"), back(fact));
        } catch (error) {
          failed(error);
        }
      },
      /** True if the claim was settled. */
      settle: async (claim: ClaimView, fact: FactView, accept: boolean): Promise<boolean> => {
        try {
          await core.settleClaim(claim.id, accept);
          if (accept) undoable(t("fact.done.accepted"), back(fact));
          else notify(t("fact.done.kept"));
          return true;
        } catch (error) {
          failed(error);
          return false;
        }
      },
    };
  }, [t, notify, undoable, failed]);
}
