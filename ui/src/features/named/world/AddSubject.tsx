import { type FormEvent, useRef, useState } from "react";
import { Button } from "../../../components/Button";
import { TextField } from "../../../components/Fields";
import { Modal } from "../../../components/Modal";
import { useI18n } from "../../../i18n/i18n";
import { toCommandError } from "../../../ipc/errors";
import { KindSelect } from "./KindSelect";

type AddProps = {
  name?: string;
  kind: string;
  onClose(): void;
  onAdd(name: string, kind: string): Promise<void>;
};

/** Asks for a name and a kind. What the core refuses is said at the field, and what was typed stays. */
export function AddSubject({ name: given = "", kind: first, onClose, onAdd }: AddProps) {
  const { t } = useI18n();
  const [name, setName] = useState(given);
  const [kind, setKind] = useState(first);
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await onAdd(name.trim(), kind);
      onClose();
    } catch (error) {
      setProblem(toCommandError(error).message);
      field.current?.focus();
    }
  };
  return (
    <Modal open onClose={onClose} title={t("world.new")} body={t("world.none.body")} initialFocus={field}>
      <form onSubmit={(event) => void send(event)} className="space-y-4">
        <TextField
          ref={field}
          label={t("named.name")}
          value={name}
          maxLength={200}
          error={problem}
          onChange={(event) => {
            setName(event.target.value);
            setProblem(null);
          }}
        />
        <div>
          <p className="mb-1 text-meta text-ink-2">{t("kind.label")}</p>
          <KindSelect field kind={kind} onChange={(next) => next !== null && setKind(next)} />
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
