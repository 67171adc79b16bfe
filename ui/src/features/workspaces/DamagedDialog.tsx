import { Link } from "@tanstack/react-router";
import { Button } from "../../components/Button";
import { Modal } from "../../components/Modal";
import { useI18n } from "../../i18n/i18n";
import type { WayOut, WorkspaceView } from "../../ipc/bindings.gen";

type DamagedDialogProps = {
  workspace: WorkspaceView | null;
  onClose(): void;
  onRename(workspace: WorkspaceView): void;
  onSetAside(workspace: WorkspaceView): void;
};

/** Why a workspace cannot be opened, and each way out of that. */
export function DamagedDialog({ workspace, onClose, onRename, onSetAside }: DamagedDialogProps) {
  const { t } = useI18n();
  const damage = workspace?.damaged;
  if (!workspace || !damage) return null;
  const way = (it: WayOut) => {
    switch (it) {
      case "rename":
        return <Button onClick={() => onRename(workspace)}>{t("workspace.damaged.rename")}</Button>;
      case "restore":
        return (
          <Link
            to="/control"
            search={{ part: "backups" }}
            onClick={onClose}
            className="inline-flex min-h-6 items-center rounded-sm text-ui text-accent hover:underline"
          >
            {t("workspace.damaged.restore")}
          </Link>
        );
      case "set_aside":
        return <Button onClick={() => onSetAside(workspace)}>{t("workspace.damaged.setAside")}</Button>;
      case "doctor":
        return <p className="text-ui text-ink-2">{t("workspace.damaged.doctor")}</p>;
    }
  };
  return (
    <Modal
      open
      onClose={onClose}
      title={t("workspace.damaged.title", { name: workspace.name })}
      body={t(`workspace.damaged.why.${damage.fault}`)}
    >
      <ul className="space-y-3">
        {damage.waysOut.map((it) => (
          <li key={it}>{way(it)}</li>
        ))}
      </ul>
      <div className="mt-6 flex justify-end">
        <Button onClick={onClose}>{t("action.close")}</Button>
      </div>
    </Modal>
  );
}
