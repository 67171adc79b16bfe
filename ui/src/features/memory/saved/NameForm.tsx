import { type FormEvent, type KeyboardEvent, type RefObject, useState } from "react";
import { Button } from "../../../components/Button";
import { TextField } from "../../../components/Fields";
import { useI18n } from "../../../i18n/i18n";
import { NAME_LENGTH } from "./searches";

type NameFormProps = {
  initial: string;
  label: string;
  submit: string;
  input?: RefObject<HTMLInputElement | null>;
  /** False: there is one of that name. */
  onSubmit(name: string): boolean;
  onCancel?: () => void;
};

/** Asks for the name of a search. */
export function NameForm({ initial, label, submit, input, onSubmit, onCancel }: NameFormProps) {
  const { t } = useI18n();
  const [name, setName] = useState(initial);
  const [isTaken, setIsTaken] = useState(false);
  const send = (event: FormEvent) => {
    event.preventDefault();
    const wanted = name.trim();
    if (wanted !== "") setIsTaken(!onSubmit(wanted));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !onCancel) return;
    // The list stays open.
    event.preventDefault();
    event.stopPropagation();
    onCancel();
  };
  return (
    <form onSubmit={send} onKeyDown={onKeyDown} className="flex items-start gap-2">
      <TextField
        ref={input}
        className="min-w-0 flex-1"
        label={label}
        value={name}
        maxLength={NAME_LENGTH}
        error={isTaken ? t("saved.taken") : null}
        onChange={(event) => {
          setName(event.target.value);
          setIsTaken(false);
        }}
      />
      <Button type="submit" className="mt-5" disabled={name.trim() === ""}>
        {submit}
      </Button>
    </form>
  );
}
