import type { LucideIcon } from "lucide-react";
import { type ReactNode, useId } from "react";
import { ShortcutKeys } from "../../../components/Keys";
import type { ShortcutId } from "../../../components/shortcuts/table";

type ChoicesProps = { title: string; children: ReactNode };

/** What can be decided. */
export function Choices({ title, children }: ChoicesProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-8">
      <h3 id={id} className="mb-2 text-meta font-strong text-ink-3">
        {title}
      </h3>
      <ul className="border-t border-line">{children}</ul>
    </section>
  );
}

type ChoiceProps = {
  icon: LucideIcon;
  title: string;
  /** What comes of it. */
  note: string;
  /** What does it by keyboard. */
  shortcut: ShortcutId | null;
  isOff: boolean;
  /** For one with a form: whether it is open. */
  isOpen?: boolean;
  onChoose(): void;
  /** The open form. */
  children?: ReactNode;
};

/** One decision, with what comes of it. */
export function Choice({
  icon: Icon,
  title,
  note,
  shortcut,
  isOff,
  isOpen,
  onChoose,
  children,
}: ChoiceProps) {
  const id = useId();
  return (
    <li className="border-b border-line">
      <button
        type="button"
        disabled={isOff}
        aria-labelledby={id}
        aria-describedby={`${id}-note`}
        aria-expanded={isOpen}
        onClick={onChoose}
        className="group -mx-3 flex w-[calc(100%+1.5rem)] items-start gap-3 rounded-md px-3 py-2.5 text-left transition-colors hover:bg-hover disabled:pointer-events-none disabled:opacity-50"
      >
        <Icon
          size={16}
          strokeWidth={1.75}
          className="mt-0.5 shrink-0 text-ink-3 group-hover:text-accent"
          aria-hidden
        />
        <span className="min-w-0 flex-1">
          <span id={id} className="block text-ui font-strong text-ink">
            {title}
          </span>
          <span id={`${id}-note`} className="block text-meta text-pretty wrap-anywhere text-ink-2">
            {note}
          </span>
        </span>
        {shortcut !== null && !isOff && <ShortcutKeys id={shortcut} />}
      </button>
      {children}
    </li>
  );
}
