import { useState } from "react";
import { Checkbox, TextField } from "../../components/Fields";
import { FormDialog } from "../../components/FormDialog";
import { useSubmit } from "../../components/useSubmit";
import { useI18n } from "../../i18n/i18n";
import type { WorkspaceView } from "../../ipc/bindings.gen";

type DeleteDialogProps = {
  workspace: WorkspaceView;
  onClose(): void;
  onDelete(purge: boolean): Promise<void>;
};

/** The one act here without an undo: the name must be typed before the button wakes up. */
export function DeleteDialog({ workspace, onClose, onDelete }: DeleteDialogProps) {
  const { t } = useI18n();
  const [typed, setTyped] = useState("");
  const [purge, setPurge] = useState(false);
  const form = useSubmit(() => onDelete(purge), { onDone: onClose });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("workspace.deleteTitle", { name: workspace.name })}
      body={t("workspace.deleteBody")}
      submit={t("workspace.deleteDo")}
      look="danger"
      ready={typed === workspace.name}
    >
      <TextField
        label={t("workspace.typeName")}
        placeholder={workspace.name}
        value={typed}
        error={form.problem}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Checkbox checked={purge} onChange={setPurge}>
        {t("workspace.purge")}
      </Checkbox>
    </FormDialog>
  );
}
