import { useState } from "react";
import { FormDialog, FormPathField } from "../../components/FormDialog";
import { useSubmit } from "../../components/useSubmit";
import { useI18n } from "../../i18n/i18n";
import type { VaultView } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { pickFolder } from "../../ipc/window";

type LinkDialogProps = { onClose(): void; onLinked(vault: VaultView): void };

/** Asks for the folder to link. */
export function LinkDialog({ onClose, onLinked }: LinkDialogProps) {
  const { t } = useI18n();
  const [path, setPath] = useState("");
  const form = useSubmit(async () => {
    const vault = await core.linkVault(path.trim());
    onClose();
    onLinked(vault);
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("vault.linkTitle")}
      body={t("vault.linkBody")}
      submit={t("vault.linkDo")}
      ready={path.trim() !== "" && !form.isSending}
    >
      <FormPathField
        form={form}
        label={t("vault.linkPath")}
        value={path}
        onChange={setPath}
        pick={() => pickFolder(t("vault.linkTitle"))}
      />
    </FormDialog>
  );
}
