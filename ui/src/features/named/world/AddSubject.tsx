import { useState } from "react";
import { Labelled } from "../../../components/Fields";
import { FormDialog, FormField } from "../../../components/FormDialog";
import { useSubmit } from "../../../components/useSubmit";
import { useI18n } from "../../../i18n/i18n";
import { KindSelect } from "./KindSelect";

type AddProps = {
  name?: string;
  kind: string;
  onClose(): void;
  onAdd(name: string, kind: string): Promise<void>;
};

/** Asks for a name and a kind. */
export function AddSubject({ name: given = "", kind: first, onClose, onAdd }: AddProps) {
  const { t } = useI18n();
  const [name, setName] = useState(given);
  const [kind, setKind] = useState(first);
  const form = useSubmit(() => onAdd(name.trim(), kind), { onDone: onClose });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("world.new")}
      body={t("world.none.body")}
      submit={t("named.create")}
      ready={name.trim() !== ""}
    >
      <FormField form={form} label={t("named.name")} value={name} maxLength={200} onChange={setName} />
      <Labelled label={t("kind.label")}>
        <KindSelect field kind={kind} onChange={(next) => next !== null && setKind(next)} />
      </Labelled>
    </FormDialog>
  );
}
