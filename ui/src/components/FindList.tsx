import { Command } from "cmdk";
import type { ReactNode } from "react";

type FindListProps = {
  /** Says what is looked for. */
  find: string;
  label: string;
  /** What was typed. The caller searches for it. */
  typed: { text: string; onText(text: string): void };
  busy?: boolean;
  children: ReactNode;
};

/** A field over the rows that it finds. */
export function FindList({ find, label, typed, busy, children }: FindListProps) {
  return (
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
  );
}
