import { type FormEvent, useState } from "react";
import { useI18n } from "../../i18n/i18n";
import type { MemoryDetail } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { toCommandError } from "../../ipc/errors";
import { Button } from "../Button";
import { Modal } from "../Modal";
import { useToasts } from "../toast";
import { KnowerFields, useKnowers } from "./KnowerFields";

/** Asks who knows of an entry, each since a time or always. What the core refuses is said at the field. */
export function KnownByDialog({ detail, onClose }: { detail: MemoryDetail; onClose(): void }) {
  const { t } = useI18n();
  const { done } = useToasts();
  const knowers = useKnowers(detail.knownBy);
  const [problem, setProblem] = useState<string | null>(null);
  const { row } = detail;
  const send = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const { change } = await core.setKnownBy(row.id, row.version, knowers.specs);
      done(t("knownBy.done"), change);
      onClose();
    } catch (error) {
      setProblem(toCommandError(error).message);
    }
  };
  return (
    <Modal open onClose={onClose} title={t("knownBy.title")} body={t("knownBy.body")}>
      <form onSubmit={(event) => void send(event)}>
        <KnowerFields
          knowers={knowers}
          without={[row.id]}
          empty={t("knownBy.nobody")}
          problem={problem}
          onChange={() => setProblem(null)}
        />
        <div className="mt-6 flex justify-end gap-2">
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button type="submit" look="primary" disabled={knowers.isUnread}>
            {t("knownBy.save")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
