import { type FormEvent, useRef, useState } from "react";
import { Button } from "../../components/Button";
import { TextField } from "../../components/Fields";
import { Modal } from "../../components/Modal";
import { Select } from "../../components/Select";
import { TierIcon } from "../../components/Tier";
import { useI18n } from "../../i18n/i18n";
import type { NamedEntryView, Scope } from "../../ipc/bindings.gen";
import { toCommandError } from "../../ipc/errors";

const TIERS = ["workspace", "account"] as const;

type AddProps = { onClose(): void; onAdd(scope: Scope, name: string): Promise<void> };

/** Asks for a name and a tier. What the core refuses is said at the field, and what was typed stays. */
export function AddDialog({ onClose, onAdd }: AddProps) {
  const { t } = useI18n();
  const [name, setName] = useState("");
  const [scope, setScope] = useState<(typeof TIERS)[number]>("workspace");
  const [problem, setProblem] = useState<string | null>(null);
  const first = useRef<HTMLInputElement>(null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await onAdd(scope, name.trim());
      onClose();
    } catch (error) {
      setProblem(toCommandError(error).message);
      first.current?.focus();
    }
  };
  return (
    <Modal open onClose={onClose} title={t("named.new")} body={t("named.body")} initialFocus={first}>
      <form onSubmit={(event) => void send(event)} className="space-y-4">
        <TextField
          ref={first}
          label={t("named.name")}
          placeholder={t("named.namePlaceholder")}
          value={name}
          maxLength={200}
          error={problem}
          onChange={(event) => {
            setName(event.target.value);
            setProblem(null);
          }}
        />
        <div>
          <p className="mb-1 text-meta text-ink-2">{t("named.tier")}</p>
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
        </div>
        <div className="flex justify-end gap-2 pt-2">
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button type="submit" look="primary" disabled={name.trim() === ""}>
            {t("named.create")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

type RenameProps = { entry: NamedEntryView; onClose(): void; onRename(name: string): Promise<void> };

export function RenameDialog({ entry, onClose, onRename }: RenameProps) {
  const { t } = useI18n();
  const [name, setName] = useState(entry.name);
  const [problem, setProblem] = useState<string | null>(null);
  const first = useRef<HTMLInputElement>(null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await onRename(name.trim());
      onClose();
    } catch (error) {
      setProblem(toCommandError(error).message);
      first.current?.focus();
    }
  };
  return (
    <Modal
      open
      onClose={onClose}
      title={t("named.renameTitle", { name: entry.name })}
      body={t("named.renameBody", { name: entry.name })}
      initialFocus={first}
    >
      <form onSubmit={(event) => void send(event)} className="space-y-4">
        <TextField
          ref={first}
          label={t("named.name")}
          value={name}
          maxLength={200}
          error={problem}
          onChange={(event) => {
            setName(event.target.value);
            setProblem(null);
          }}
        />
        <div className="flex justify-end gap-2 pt-2">
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button type="submit" look="primary" disabled={name.trim() === "" || name.trim() === entry.name}>
            {t("named.renameDo")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
