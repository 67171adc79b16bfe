import { type FormEvent, type KeyboardEvent, type RefObject, useState } from "react";
import { Button } from "../../../components/Button";
import { TextField } from "../../../components/Fields";
import { NAME_LENGTH } from "./searches";

type NameFormProps = {
  initial: string;
  label: string;
  submit: string;
  input?: RefObject<HTMLInputElement | null>;
  /** What is wrong with the name, or null. */
  onSubmit(name: string): Promise<string | null>;
  onCancel?: () => void;
};

/** Asks for the name of a search. */
export function NameForm({ initial, label, submit, input, onSubmit, onCancel }: NameFormProps) {
  const [name, setName] = useState(initial);
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "") setProblem(await onSubmit(name));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !onCancel) return;
    // The list stays open.
    event.preventDefault();
    event.stopPropagation();
    onCancel();
  };
  return (
    <form onSubmit={(event) => void send(event)} onKeyDown={onKeyDown} className="flex items-start gap-2">
      <TextField
        ref={input}
        className="min-w-0 flex-1"
        label={label}
        value={name}
        maxLength={NAME_LENGTH}
        error={problem}
        onChange={(event) => {
          setName(event.target.value);
          setProblem(null);
        }}
      />
      <Button type="submit" className="mt-5" disabled={name.trim() === ""}>
        {submit}
      </Button>
    </form>
  );
}
