import { type FormEvent, useRef, useState } from "react";
import { Button } from "../../components/Button";
import { Modal } from "../../components/Modal";
import { PathField } from "../../components/PathField";
import { useToasts } from "../../components/toast";
import { useI18n } from "../../i18n/i18n";
import { announce } from "../../ipc/changes";
import { core } from "../../ipc/client";
import { toCommandError } from "../../ipc/errors";
import { pickFolder } from "../../ipc/window";

export function FolderDialog({ open, onClose }: { open: boolean; onClose(): void }) {
  const { t } = useI18n();
  const { notify } = useToasts();
  const [path, setPath] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await core.activateModelFolder(path.trim());
      announce("models");
      notify(t("settings.model.folderDone"));
      onClose();
    } catch (error) {
      setProblem(toCommandError(error).message);
    }
  };
  return (
    <Modal
      open={open}
      onClose={onClose}
      title={t("settings.model.folderTitle")}
      body={t("settings.model.folderBody")}
      initialFocus={input}
    >
      <form onSubmit={(event) => void send(event)}>
        <PathField
          ref={input}
          label={t("settings.model.folderPath")}
          value={path}
          problem={problem}
          onChange={setPath}
          onProblem={setProblem}
          pick={() => pickFolder(t("settings.model.folderTitle"))}
        />
        <div className="mt-6 flex justify-end gap-2">
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button type="submit" look="primary" disabled={path.trim() === ""}>
            {t("settings.model.folderDo")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
