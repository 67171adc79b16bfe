import { useMemo } from "react";
import { useToasts } from "../../../components/toast";
import { useI18n } from "../../../i18n/i18n";
import type { DriftSettlement, DriftSide, DriftView, KnowerView } from "../../../ipc/bindings.gen";
import { core } from "../../../ipc/client";
import { rewrites } from "./drafts";

type Undo = () => Promise<unknown>;

const specOf = ({ id, since, chapterId }: KnowerView) => ({ subject: id, since: chapterId ?? since });

/** Facts are not in the journal: what takes back a decision about one, from how it was. Null: nothing here can. */
function undoOfFacts({ canon, statement }: DriftView, settlement: DriftSettlement): Undo[] | null {
  const value = ({ id, text }: DriftSide) => core.changeFact(id, text, null);
  const { fact } = statement;
  switch (settlement.kind) {
    case "canon_stands":
      return fact ? [() => value(statement)] : [];
    case "canon_changes":
      return canon.fact ? [() => value(canon)] : [];
    case "belief":
      return fact ? [() => core.setFactKnownBy(fact.id, fact.knownBy.map(specOf))] : [];
    case "both": {
      const facts = [settlement.canon !== null && canon.fact, settlement.statement !== null && fact];
      const set = facts.filter((it) => it !== null && it !== false);
      // A time is written with less than it holds, so it cannot be set again as it was.
      if (set.some((it) => it.storyTime !== null)) return null;
      return set.map((it) => () => core.setFactTime(it.id, "", null));
    }
    case "dismiss":
    case "derive_again":
      return [];
  }
}

/** Settles, says what came of it, and offers the way back where something was written. Throws what the core refuses. */
export function useSettle() {
  const { t } = useI18n();
  const { notify, undoable } = useToasts();
  return useMemo(
    () => async (drift: DriftView, settlement: DriftSettlement) => {
      const { changeId } = await core.settleDrift(drift.id, settlement);
      rewrites.drop(drift.id);
      const text = t(`drift.done.${settlement.kind}`, { kind: drift.statement.kind });
      const undo = undoOfFacts(drift, settlement);
      if (undo && changeId !== null) undo.push(() => core.undoChange(changeId));
      if (undo === null || undo.length === 0) return notify(text);
      undoable(text, async () => {
        for (const step of undo) await step();
        notify(t("drift.undone"));
      });
    },
    [t, notify, undoable],
  );
}
