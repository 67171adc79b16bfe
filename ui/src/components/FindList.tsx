import { Command } from "cmdk";
import type { ReactNode } from "react";
import { useI18n } from "../i18n/i18n";
import { toCommandError } from "../ipc/errors";
import { Button } from "./Button";

/** What came of looking for rows. */
type Search = {
  isEmpty: boolean;
  /** Rows may still come. */
  isPending: boolean;
  error: unknown;
  refetch(): unknown;
  /** Says that nothing was found. */
  none: string;
};

type FindListProps = {
  /** Says what is looked for. */
  find: string;
  label: string;
  /** What was typed. The caller searches for it. */
  typed: { text: string; onText(text: string): void };
  busy?: boolean;
  /** Null while nothing is looked for. */
  search: Search | null;
  children: ReactNode;
};

/** A field over the rows that it finds. */
export function FindList({ find, label, typed, busy, search, children }: FindListProps) {
  return (
    <>
      <Command label={find} shouldFilter={false} loop>
        <Command.Input
          autoFocus
          value={typed.text}
          onValueChange={typed.onText}
          placeholder={find}
          className="mb-2 h-8 w-full rounded-md border border-line-strong bg-paper px-3 text-ui text-ink placeholder:text-ink-3"
        />
        <Command.List label={label} aria-busy={busy} className="max-h-72 overflow-y-auto">
          {children}
        </Command.List>
      </Command>
      {/* Outside of it: there Enter chooses a row, and here it presses the button. */}
      {search && <Outcome {...search} />}
    </>
  );
}

/** Why there are no rows, or not all of them. */
function Outcome({ isEmpty, isPending, error, refetch, none }: Search) {
  const { t } = useI18n();
  const className = "px-2 py-6 text-center text-ui text-ink-2";
  if (error)
    return (
      <div className={className}>
        <p role="alert">{toCommandError(error).message}</p>
        <Button className="mt-3" onClick={() => void refetch()}>
          {t("action.retry")}
        </Button>
      </div>
    );
  if (!isEmpty) return null;
  return (
    <p role="status" className={className}>
      {isPending ? t("state.loading") : none}
    </p>
  );
}
