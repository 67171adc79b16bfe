import { type FormEvent, useEffect, useState } from "react";
import { Button } from "../../components/Button";
import { Checkbox, TextField } from "../../components/Fields";
import { Modal } from "../../components/Modal";
import { useI18n } from "../../i18n/i18n";
import type { WorkspaceView } from "../../ipc/bindings.gen";
import { toCommandError } from "../../ipc/errors";

type DeleteDialogProps = {
  open: boolean;
  workspace: WorkspaceView;
  onClose(): void;
  onDelete(purge: boolean): Promise<void>;
};

/** The one act here without an undo: the name must be typed before the button wakes up. */
export function DeleteDialog({ open, workspace, onClose, onDelete }: DeleteDialogProps) {
  const { t } = useI18n();
  const [typed, setTyped] = useState("");
  const [purge, setPurge] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    if (!open) return;
    setTyped("");
    setPurge(false);
    setProblem(null);
  }, [open]);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (typed !== workspace.name) return;
    try {
      await onDelete(purge);
      onClose();
    } catch (error) {
      setProblem(toCommandError(error).message);
    }
  };

  return (
    <Modal
      open={open}
      onClose={onClose}
      title={t("workspace.deleteTitle", { name: workspace.name })}
      body={t("workspace.deleteBody")}
    >
      <form onSubmit={(event) => void send(event)} className="space-y-4">
        <TextField
          label={t("workspace.typeName")}
          placeholder={workspace.name}
          value={typed}
          error={problem}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Checkbox checked={purge} onChange={setPurge}>
          {t("workspace.purge")}
        </Checkbox>
        <div className="flex justify-end gap-2 pt-2">
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button type="submit" look="danger" disabled={typed !== workspace.name}>
            {t("workspace.deleteDo")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
