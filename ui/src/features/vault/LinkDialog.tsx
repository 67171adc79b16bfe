import { type FormEvent, useRef, useState } from "react";
import { Button } from "../../components/Button";
import { Modal } from "../../components/Modal";
import { PathField } from "../../components/PathField";
import { useI18n } from "../../i18n/i18n";
import type { VaultView } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { toCommandError } from "../../ipc/errors";
import { pickFolder } from "../../ipc/window";

type LinkDialogProps = { onClose(): void; onLinked(vault: VaultView): void };

/** Asks for the folder to link. */
export function LinkDialog({ onClose, onLinked }: LinkDialogProps) {
  const { t } = useI18n();
  const [path, setPath] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      const vault = await core.linkVault(path.trim());
      onClose();
      onLinked(vault);
    } catch (error) {
      setProblem(toCommandError(error).message);
      setBusy(false);
    }
  };
  return (
    <Modal
      open
      onClose={onClose}
      title={t("vault.linkTitle")}
      body={t("vault.linkBody")}
      initialFocus={input}
    >
      <form onSubmit={(event) => void send(event)}>
        <PathField
          ref={input}
          label={t("vault.linkPath")}
          value={path}
          problem={problem}
          onChange={setPath}
          onProblem={setProblem}
          pick={() => pickFolder(t("vault.linkTitle"))}
        />
        <div className="mt-6 flex justify-end gap-2">
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button type="submit" look="primary" disabled={busy || path.trim() === ""}>
            {t("vault.linkDo")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
