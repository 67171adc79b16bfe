import { useState } from "react";
import { Button } from "../../components/Button";
import { FormField } from "../../components/FormDialog";
import { useSubmit } from "../../components/useSubmit";
import { useI18n } from "../../i18n/i18n";
import { useWorkspaceWrites } from "./useWorkspaceWrites";

/** Shown while there is no workspace at all. */
export function FirstWorkspace() {
  const { t } = useI18n();
  const writes = useWorkspaceWrites();
  const [name, setName] = useState("");
  const form = useSubmit(() => writes.create(name.trim()));
  return (
    <form onSubmit={form.onSubmit} className="mx-auto mt-[18vh] w-full max-w-sm px-6">
      <h1 className="font-serif text-display text-ink">{t("workspace.firstTitle")}</h1>
      <p className="mt-2 mb-6 text-lead text-ink-2">{t("workspace.firstBody")}</p>
      <FormField
        form={form}
        label={t("workspace.name")}
        placeholder={t("workspace.namePlaceholder")}
        value={name}
        maxLength={200}
        autoFocus
        onChange={setName}
      />
      <Button type="submit" look="primary" className="mt-4" disabled={name.trim() === ""}>
        {t("workspace.createDo")}
      </Button>
    </form>
  );
}
