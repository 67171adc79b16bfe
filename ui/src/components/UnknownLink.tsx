import type { ReactNode } from "react";

/** Written as a link to something that is not there: no link, but shown as one that could be. */
export function UnknownLink({ reason, children }: { reason: string; children: ReactNode }) {
  return (
    <span title={reason} className="text-ink-2 underline decoration-dashed underline-offset-3">
      {children}
      <span className="sr-only"> ({reason})</span>
    </span>
  );
}
