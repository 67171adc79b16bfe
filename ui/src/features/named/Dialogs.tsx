import { useState } from "react";
import { Labelled } from "../../components/Fields";
import { FormDialog, FormField } from "../../components/FormDialog";
import { Select } from "../../components/Select";
import { TierIcon } from "../../components/Tier";
import { useSubmit } from "../../components/useSubmit";
import { useI18n } from "../../i18n/i18n";
import type { NamedEntryView, Scope } from "../../ipc/bindings.gen";

const TIERS = ["workspace", "account"] as const;

type AddProps = { onClose(): void; onAdd(scope: Scope, name: string): Promise<void> };

/** Asks for a name and a tier. */
export function AddDialog({ onClose, onAdd }: AddProps) {
  const { t } = useI18n();
  const [name, setName] = useState("");
  const [scope, setScope] = useState<(typeof TIERS)[number]>("workspace");
  const form = useSubmit(() => onAdd(scope, name.trim()), { onDone: onClose });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("named.new")}
      body={t("named.body")}
      submit={t("named.create")}
      ready={name.trim() !== ""}
    >
      <FormField
        form={form}
        label={t("named.name")}
        placeholder={t("named.namePlaceholder")}
        value={name}
        maxLength={200}
        onChange={setName}
      />
      <Labelled label={t("named.tier")}>
        <Select
          label={t("named.tier")}
          value={scope}
          onChange={(next) => setScope(next)}
          options={TIERS.map((it) => ({
            value: it,
            label: t(`tier.${it}`),
            icon: <TierIcon scope={it} />,
          }))}
        />
        <p className="mt-1 text-meta text-ink-3">{t(`tier.hint.${scope}`)}</p>
      </Labelled>
    </FormDialog>
  );
}

type RenameProps = { entry: NamedEntryView; onClose(): void; onRename(name: string): Promise<void> };

export function RenameDialog({ entry, onClose, onRename }: RenameProps) {
  const { t } = useI18n();
  const [name, setName] = useState(entry.name);
  const form = useSubmit(() => onRename(name.trim()), { onDone: onClose });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("named.renameTitle", { name: entry.name })}
      body={t("named.renameBody", { name: entry.name })}
      submit={t("named.renameDo")}
      ready={name.trim() !== "" && name.trim() !== entry.name}
    >
      <FormField form={form} label={t("named.name")} value={name} maxLength={200} onChange={setName} />
    </FormDialog>
  );
}
