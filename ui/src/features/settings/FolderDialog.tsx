import { useState } from "react";
import { FormDialog, FormPathField } from "../../components/FormDialog";
import { useToasts } from "../../components/toast";
import { useSubmit } from "../../components/useSubmit";
import { useI18n } from "../../i18n/i18n";
import { announce } from "../../ipc/changes";
import { core } from "../../ipc/client";
import { pickFolder } from "../../ipc/window";

export function FolderDialog({ onClose }: { onClose(): void }) {
  const { t } = useI18n();
  const { notify } = useToasts();
  const [path, setPath] = useState("");
  const activate = async () => {
    await core.activateModelFolder(path.trim());
    announce("models");
    notify(t("settings.model.folderDone"));
  };
  const form = useSubmit(activate, { onDone: onClose });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("settings.model.folderTitle")}
      body={t("settings.model.folderBody")}
      submit={t("settings.model.folderDo")}
      ready={path.trim() !== ""}
    >
      <FormPathField
        form={form}
        label={t("settings.model.folderPath")}
        value={path}
        onChange={setPath}
        pick={() => pickFolder(t("settings.model.folderTitle"))}
      />
    </FormDialog>
  );
}
