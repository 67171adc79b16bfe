import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { Button } from "../../../components/Button";
import { TextField } from "../../../components/Fields";
import { Modal } from "../../../components/Modal";
import { Select } from "../../../components/Select";
import { useI18n } from "../../../i18n/i18n";
import type { WorkspaceView } from "../../../ipc/bindings.gen";
import { toCommandError } from "../../../ipc/errors";
import { workspacesQuery } from "../../../ipc/queries";

type AddProps = { onClose(): void; onAdd(name: string, workspaceId: string): Promise<void> };

/** The worlds that a client can be let into, and the one to begin with. */
function offered(all: WorkspaceView[] = []) {
  const workspaces = all.filter((it) => !it.damaged);
  return { workspaces, first: (workspaces.find((it) => it.current) ?? workspaces[0])?.id };
}

/** A name and a world; everything else begins with as little as can be. */
export function AddDialog({ onClose, onAdd }: AddProps) {
  const { t } = useI18n();
  const client = useQueryClient();
  const { data } = useQuery(workspacesQuery);
  const { workspaces, first } = offered(data);
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const workspace = chosen ?? first ?? "";
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "" || busy) return;
    setBusy(true);
    try {
      // A name may be sent before the worlds are read.
      const into = workspace || offered(await client.ensureQueryData(workspacesQuery)).first;
      if (into === undefined) return setBusy(false);
      await onAdd(name.trim(), into);
      onClose();
    } catch (error) {
      setProblem(toCommandError(error).message);
      setBusy(false);
      input.current?.focus();
    }
  };
  return (
    <Modal
      open
      onClose={onClose}
      title={t("clients.addTitle")}
      body={t("clients.addBody")}
      initialFocus={input}
    >
      <form onSubmit={(event) => void send(event)} className="space-y-4">
        <TextField
          ref={input}
          label={t("clients.name")}
          placeholder={t("clients.namePlaceholder")}
          value={name}
          maxLength={60}
          error={problem}
          onChange={(event) => {
            setName(event.target.value);
            setProblem(null);
          }}
        />
        <div>
          <p className="mb-1 text-meta text-ink-2">{t("clients.workspace")}</p>
          <Select
            label={t("clients.workspace")}
            value={workspace}
            onChange={setChosen}
            options={workspaces.map((it) => ({ value: it.id, label: it.name }))}
          />
        </div>
        <div className="flex justify-end gap-2 pt-2">
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button
            type="submit"
            look="primary"
            disabled={name.trim() === "" || (data !== undefined && workspaces.length === 0)}
            aria-disabled={busy || undefined}
          >
            {t("clients.addDo")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
