import { FolderOpen } from "lucide-react";
import type { Ref } from "react";
import { useI18n } from "../i18n/i18n";
import { toCommandError } from "../ipc/errors";
import { canPickFolder } from "../ipc/window";
import { Button } from "./Button";
import { TextField } from "./Fields";

type PathFieldProps = {
  label: string;
  value: string;
  /** What is wrong with it, or with picking it. */
  problem: string | null;
  onChange(path: string): void;
  onProblem(problem: string | null): void;
  /** Asks the system for a path; null: nothing was chosen. */
  pick(): Promise<string | null>;
  ref?: Ref<HTMLInputElement>;
};

/** A path to be typed, or to be chosen in the system's own dialog where there is one. */
export function PathField({ label, value, problem, onChange, onProblem, pick, ref }: PathFieldProps) {
  const { t } = useI18n();
  const choose = async () => {
    try {
      const chosen = await pick();
      if (chosen !== null) onChange(chosen);
      onProblem(null);
    } catch (error) {
      onProblem(toCommandError(error).message);
    }
  };
  return (
    <div className="flex items-start gap-2">
      <TextField
        ref={ref}
        className="min-w-0 flex-1"
        label={label}
        value={value}
        error={problem}
        onChange={(event) => {
          onChange(event.target.value);
          onProblem(null);
        }}
      />
      {canPickFolder() && (
        <Button className="mt-5" onClick={() => void choose()}>
          <FolderOpen size={14} aria-hidden />
          {t("action.choose")}
        </Button>
      )}
    </div>
  );
}
