import type { ReactNode } from "react";
import { Highlight } from "../../components/Highlight";
import type { Span } from "../../ipc/bindings.gen";

type PlaceBodyProps = {
  name: string;
  spans?: readonly Span[];
  /** What it is, or where. */
  note?: ReactNode;
};

/** Something with a name on one line. */
export function PlaceBody({ name, spans = [], note }: PlaceBodyProps) {
  return (
    <span className="flex items-baseline gap-3">
      <span className="min-w-0 truncate text-ui text-ink">
        <Highlight text={name} spans={spans} />
      </span>
      {note && <span className="ml-auto max-w-[50%] shrink-0 truncate text-meta text-ink-3">{note}</span>}
    </span>
  );
}
