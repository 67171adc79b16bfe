import { useMemo } from "react";
import { useToasts } from "../../../components/toast";
import { useI18n } from "../../../i18n/i18n";
import type { Decision, ProposalView } from "../../../ipc/bindings.gen";
import { core } from "../../../ipc/client";
import { proposalEdits } from "./drafts";

/** Decides, says what came of it, and offers the way back where something was written. Gives what was decided. */
export function useDecide() {
  const { t } = useI18n();
  const { notify, undoable, failed } = useToasts();
  return useMemo(
    () => async (proposals: readonly Pick<ProposalView, "id" | "kind">[], decision: Decision) => {
      try {
        const ids = proposals.map((it) => it.id);
        const result = await core.decideProposals(ids, decision);
        const { decided, changeIds } = result;
        for (const { id } of decided) proposalEdits.drop(id);
        const count = decided.length;
        const both = decision.kind === "reject" && proposals.every((it) => it.kind === "conflict");
        const text = both
          ? t("proposal.done.both")
          : t(decision.kind === "reject" ? "proposal.done.reject" : "proposal.done.accept", { count });
        if (count > 0 && changeIds.length > 0)
          undoable(text, async () => {
            // The newest first: a later one may stand on an earlier one.
            for (const id of [...changeIds].reverse()) await core.undoChange(id);
            notify(t("activity.done.undone"));
          });
        else if (count > 0) notify(text);
        if (result.failed.length > 0) {
          const reason = [...new Set(result.failed.map((it) => it.message))].join(" ");
          const message = t("proposal.failed", { count: result.failed.length, reason });
          failed({ code: "invalid", message, details: null });
        }
        return decided.map((it) => it.id);
      } catch (error) {
        failed(error);
        return [];
      }
    },
    [t, notify, undoable, failed],
  );
}
