import { useState } from "react";
import { FormDialog, FormField } from "../../components/FormDialog";
import { useSubmit } from "../../components/useSubmit";
import { useI18n } from "../../i18n/i18n";

type NameDialogProps = {
  title: string;
  body?: string;
  initial?: string;
  submit: string;
  onClose(): void;
  onSubmit(name: string): Promise<void>;
};

/** Asks for the name of a workspace. */
export function NameDialog({ initial = "", onSubmit, ...dialog }: NameDialogProps) {
  const { t } = useI18n();
  const [name, setName] = useState(initial);
  const form = useSubmit(() => onSubmit(name.trim()), { onDone: dialog.onClose });
  return (
    <FormDialog form={form} ready={name.trim() !== "" && !form.isSending} {...dialog}>
      <FormField
        form={form}
        label={t("workspace.name")}
        placeholder={t("workspace.namePlaceholder")}
        value={name}
        maxLength={200}
        onChange={setName}
      />
    </FormDialog>
  );
}
