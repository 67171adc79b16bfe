import type { ReactNode } from "react";
import type { MemoryRow } from "../ipc/bindings.gen";
import { MemoryLink } from "./MemoryLink";

type TakenBackProps = {
  message: string;
  /** Stands above what could not be taken back. */
  but: string;
  conflicts: readonly MemoryRow[];
  /** What else came of it. */
  children?: ReactNode;
};

/** What came of taking something back: what was brought back, and what somebody had changed since. */
export function TakenBack({ message, but, conflicts, children }: TakenBackProps) {
  return (
    <div role="status" className="fc-border mt-4 rounded-md bg-sunken px-4 py-3 text-ui text-ink">
      <p>{message}</p>
      {conflicts.length > 0 && (
        <>
          <p className="mt-1">{but}</p>
          <ul className="mt-1">
            {conflicts.map((row) => (
              <li key={row.id} className="py-1">
                <MemoryLink row={row} />
              </li>
            ))}
          </ul>
        </>
      )}
      {children}
    </div>
  );
}
