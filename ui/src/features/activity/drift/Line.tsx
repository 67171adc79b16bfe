import type { ReactNode } from "react";

type LineProps = { name: string; icon: ReactNode; className: string; children: ReactNode };

/** One side of a row in the list. */
export function Line({ name, icon, className, children }: LineProps) {
  return (
    <p className="flex items-center gap-2">
      <span className="sr-only">{name}: </span>
      <span className="flex w-3.5 shrink-0 justify-center">{icon}</span>
      <span className={`min-w-0 truncate font-serif text-snippet leading-5.5! ${className}`}>{children}</span>
    </p>
  );
}
