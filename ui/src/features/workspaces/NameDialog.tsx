import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "../../components/Button";
import { TextField } from "../../components/Fields";
import { Modal } from "../../components/Modal";
import { useI18n } from "../../i18n/i18n";
import { toCommandError } from "../../ipc/errors";

type NameDialogProps = {
  open: boolean;
  title: string;
  body?: string;
  initial?: string;
  submit: string;
  onClose(): void;
  onSubmit(name: string): Promise<void>;
};

/** Asks for a name. What the core refuses is said at the field, and what was typed stays. */
export function NameDialog({ open, title, body, initial = "", submit, onClose, onSubmit }: NameDialogProps) {
  const { t } = useI18n();
  const [name, setName] = useState(initial);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!open) return;
    setName(initial);
    setProblem(null);
  }, [open, initial]);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "" || busy) return;
    setBusy(true);
    try {
      await onSubmit(name.trim());
      onClose();
    } catch (error) {
      setProblem(toCommandError(error).message);
      input.current?.focus();
    } finally {
      setBusy(false);
    }
  };

  return (
    <Modal open={open} onClose={onClose} title={title} body={body} initialFocus={input}>
      <form onSubmit={(event) => void send(event)}>
        <TextField
          ref={input}
          label={t("workspace.name")}
          placeholder={t("workspace.namePlaceholder")}
          value={name}
          maxLength={200}
          error={problem}
          onChange={(event) => {
            setName(event.target.value);
            setProblem(null);
          }}
        />
        <div className="mt-6 flex justify-end gap-2">
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button type="submit" look="primary" disabled={busy || name.trim() === ""}>
            {submit}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
