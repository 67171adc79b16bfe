import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../../components/Button";
import { Checkbox, TextField } from "../../../components/Fields";
import { useSubmit } from "../../../components/useSubmit";
import { useI18n } from "../../../i18n/i18n";
import type { ScrubDone, ScrubManifest } from "../../../ipc/bindings.gen";
import { announce } from "../../../ipc/changes";
import { core } from "../../../ipc/client";
import { hasCode } from "../../../ipc/errors";
import { keys } from "../../../ipc/keys";

type ExecuteProps = {
  manifest: ScrubManifest;
  readOnly: boolean;
  onDone(done: ScrubDone): void;
  /** The rows are no longer those of the manifest. */
  onStale(): Promise<void>;
};

/** The last step: a backup unless declined, the phrase, and the one red button. */
export function Execute({ manifest, readOnly, onDone, onStale }: ExecuteProps) {
  const { t } = useI18n();
  const client = useQueryClient();
  const [backup, setBackup] = useState(true);
  const [typed, setTyped] = useState("");
  // As the core compares it: blanks around it and capitals do not matter.
  const ready = typed.trim().toLowerCase() === manifest.phrase && !readOnly;

  const execute = async () => {
    form.setProblem(null);
    try {
      const { target, mode, hash, phrase } = manifest;
      const done = await core.executeScrub({ target, mode, hash, phrase, backup });
      for (const queryKey of [keys.audit, keys.backups]) void client.invalidateQueries({ queryKey });
      for (const topic of [
        "memories",
        "channels",
        "transcript",
        "proposals",
        "runs",
        "orientations",
        "recall_tests",
        "settings",
      ] as const)
        announce(topic);
      onDone(done);
      // Nothing that is gone may stay in the window's own memory, once it is no longer on the page.
      setTimeout(() => client.removeQueries({ type: "inactive" }), 0);
    } catch (error) {
      if (!hasCode(error, "stale_version")) throw error;
      await onStale();
    }
  };
  const form = useSubmit(execute);

  return (
    <form
      onSubmit={form.onSubmit}
      aria-label={t("scrub.execute")}
      className="mt-8 space-y-4 border-t border-line pt-6"
    >
      <div>
        <Checkbox checked={backup} onChange={setBackup}>
          {t("scrub.backup")}
        </Checkbox>
        <p className="mt-0.5 pl-6 text-meta text-pretty text-ink-2">
          {t(backup ? "scrub.backupOn" : "scrub.backupOff")}
        </p>
      </div>
      <TextField
        label={t("scrub.phrase", { phrase: manifest.phrase })}
        className="max-w-80"
        value={typed}
        error={form.problem}
        disabled={readOnly}
        onChange={(event) => {
          setTyped(event.target.value);
          form.setProblem(null);
        }}
      />
      <Button
        type="submit"
        look={ready ? "danger" : "plain"}
        disabled={!ready}
        aria-disabled={form.isSending || undefined}
      >
        {t(form.isSending ? "scrub.doing" : "scrub.do")}
      </Button>
    </form>
  );
}
