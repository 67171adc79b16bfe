import { useI18n } from "../../i18n/i18n";
import type { MemoryDetail } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { FormDialog } from "../FormDialog";
import { useToasts } from "../toast";
import { useSubmit } from "../useSubmit";
import { KnowerFields, useKnowers } from "./KnowerFields";

/** Asks who knows of an entry, each since a time or always. What the core refuses is said at the field. */
export function KnownByDialog({ detail, onClose }: { detail: MemoryDetail; onClose(): void }) {
  const { t } = useI18n();
  const { done } = useToasts();
  const knowers = useKnowers(detail.knownBy);
  const { row } = detail;
  const save = async () => {
    const { change } = await core.setKnownBy(row.id, row.version, knowers.specs);
    done(t("knownBy.done"), change);
  };
  const form = useSubmit(save, { onDone: onClose });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("knownBy.title")}
      body={t("knownBy.body")}
      submit={t("knownBy.save")}
      ready={!knowers.isUnread}
    >
      <div>
        <KnowerFields
          knowers={knowers}
          without={[row.id]}
          empty={t("knownBy.nobody")}
          problem={form.problem}
          onChange={() => form.setProblem(null)}
        />
      </div>
    </FormDialog>
  );
}
