import type { ReactNode } from "react";
import { Time } from "../../../../components/Time";

type OriginProps = { icon: ReactNode; place: ReactNode; by: string; at: string | null };

/** Where a side lives, who wrote it, and when. */
export function Origin({ icon, place, by, at }: OriginProps) {
  return (
    <div className="mb-3 text-meta text-ink-2">
      <p className="flex items-start gap-1.5 wrap-anywhere">
        <span className="mt-0.5">{icon}</span>
        <span className="min-w-0">{place}</span>
      </p>
      <p className="mt-0.5 text-ink-3">
        {by}
        {at !== null && (
          <>
            {" · "}
            <Time iso={at} />
          </>
        )}
      </p>
    </div>
  );
}
