import { type FormEvent, useState } from "react";
import { Button } from "../../components/Button";
import { TextField } from "../../components/Fields";
import { useI18n } from "../../i18n/i18n";
import { toCommandError } from "../../ipc/errors";
import { useWorkspaceWrites } from "./useWorkspaceWrites";

/** Shown while there is no workspace at all. */
export function FirstWorkspace() {
  const { t } = useI18n();
  const writes = useWorkspaceWrites();
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return;
    try {
      await writes.create(name.trim());
    } catch (error) {
      setProblem(toCommandError(error).message);
    }
  };
  return (
    <form onSubmit={(event) => void send(event)} className="mx-auto mt-[18vh] w-full max-w-sm px-6">
      <h1 className="font-serif text-display text-ink">{t("workspace.firstTitle")}</h1>
      <p className="mt-2 mb-6 text-lead text-ink-2">{t("workspace.firstBody")}</p>
      <TextField
        label={t("workspace.name")}
        placeholder={t("workspace.namePlaceholder")}
        value={name}
        maxLength={200}
        error={problem}
        autoFocus
        onChange={(event) => {
          setName(event.target.value);
          setProblem(null);
        }}
      />
      <Button type="submit" look="primary" className="mt-4" disabled={name.trim() === ""}>
        {t("workspace.createDo")}
      </Button>
    </form>
  );
}
