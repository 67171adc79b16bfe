import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Labelled } from "../../../components/Fields";
import { FormDialog, FormField } from "../../../components/FormDialog";
import { Select } from "../../../components/Select";
import { useSubmit } from "../../../components/useSubmit";
import { useI18n } from "../../../i18n/i18n";
import type { WorkspaceView } from "../../../ipc/bindings.gen";
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
  const workspace = chosen ?? first ?? "";
  const form = useSubmit(async () => {
    // A name may be sent before the worlds are read.
    const into = workspace || offered(await client.ensureQueryData(workspacesQuery)).first;
    if (into === undefined) return;
    await onAdd(name.trim(), into);
    onClose();
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("clients.addTitle")}
      body={t("clients.addBody")}
      submit={t("clients.addDo")}
      ready={name.trim() !== "" && (data === undefined || workspaces.length > 0)}
    >
      <FormField
        form={form}
        label={t("clients.name")}
        placeholder={t("clients.namePlaceholder")}
        value={name}
        maxLength={60}
        onChange={setName}
      />
      <Labelled label={t("clients.workspace")}>
        <Select
          label={t("clients.workspace")}
          value={workspace}
          onChange={setChosen}
          options={workspaces.map((it) => ({ value: it.id, label: it.name }))}
        />
      </Labelled>
    </FormDialog>
  );
}
