import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import type { DocumentHit, LensSpec } from "../../ipc/bindings.gen";

/** What can be opened, by its id. */
export type Place =
  | { kind: "memory"; id: string }
  | { kind: "subject"; id: string }
  | { kind: "named"; id: string }
  | { kind: "page"; id: string; heading?: string }
  | { kind: "conversation"; id: string; at?: number }
  | { kind: "channel"; id: string; isArchived?: boolean };

/** Where a document is read: a message in its conversation. */
export function placeOf(hit: DocumentHit): Place {
  if (hit.kind === "memory") return { kind: "memory", id: hit.row.id };
  if (hit.kind === "page") return { kind: "page", id: hit.page.id, heading: hit.heading || undefined };
  return { kind: "conversation", id: hit.conversation.refCode, at: hit.message.position };
}

/** A lens as an address has it. */
export const lensAddress = (lens: LensSpec | null) => ({
  as: lens?.knower ?? undefined,
  by: lens?.at ?? undefined,
});

/** Opens a place. What is read with a lens stays with it. */
export function useOpenPlace(lens: LensSpec | null): (place: Place) => void {
  const navigate = useNavigate();
  return useCallback(
    (place) => {
      const { id } = place;
      if (place.kind === "memory") void navigate({ to: "/memory", search: { id, ...lensAddress(lens) } });
      else if (place.kind === "subject")
        void navigate({ to: "/world", search: { id, ...lensAddress(lens) } });
      else if (place.kind === "named") void navigate({ to: "/named", search: { id } });
      else if (place.kind === "page") void navigate({ to: "/pages", search: { id, heading: place.heading } });
      else if (place.kind === "channel")
        void navigate({
          to: "/conversations",
          search: { channel: id, status: place.isArchived ? ["archived"] : undefined },
        });
      else
        void navigate({
          to: "/conversations/$ref",
          params: { ref: id },
          search: { at: place.at },
        });
    },
    [navigate, lens],
  );
}
