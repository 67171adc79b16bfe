import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { z } from "zod";
import type { ConversationStatus } from "../../ipc/bindings.gen";

export const STATUSES = ["active", "idle", "archived"] as const;
export const TABS = ["shown", "notes", "memories", "facts", "episodes"] as const;

const optional = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

/** The whole state of the Conversations page that Back and a link should bring back. */
export const conversationsView = z.object({
  channel: optional(z.string().max(100)),
  status: optional(z.array(z.enum(STATUSES)).max(3)),
  q: optional(z.string().max(10_000)),
  tab: optional(z.enum(TABS)),
  /** What of the shown is looked at: every turn, a question to try, one ledger by id, or that of one message. */
  shown: optional(z.string().max(200)),
  /** The position of the message that is looked at. */
  at: optional(z.number().int().min(0)),
  /** Only what is open is shown, without rail and list: it has a window of its own. */
  own: optional(z.literal(true)),
  /** Whether the import is open. */
  import: optional(z.boolean()),
});

export type ConversationsView = z.infer<typeof conversationsView>;
export type Tab = (typeof TABS)[number];
type Go = (patch: Partial<ConversationsView>, options?: { replace?: boolean }) => void;

/** How the address names the ledger of an answer by the answer: `message:` and its id. */
export const OF_MESSAGE = "message:";

/** Active and idle ones, unless the worldbuilder asked otherwise. */
export const USUAL: readonly ConversationStatus[] = ["active", "idle"];

/** Reads the view from the address, and changes it there. */
export function useView() {
  const view = useSearch({ from: "/conversations" });
  const { ref } = useParams({ strict: false });
  const navigate = useNavigate();
  const go: Go = useCallback(
    (patch, options) => {
      void navigate({
        to: ".",
        search: (old) => ({ ...old, ...patch }),
        replace: options?.replace ?? false,
      });
    },
    [navigate],
  );
  /** Opens a conversation, at a message if one is given. */
  const open = useCallback(
    (next: string, at?: number, options?: { replace?: boolean }) => {
      void navigate({
        to: "/conversations/$ref",
        params: { ref: next },
        search: (old: ConversationsView) => ({
          ...old,
          at,
          import: undefined,
          // A ledger belongs to its conversation.
          shown: next === ref ? old.shown : undefined,
        }),
        replace: options?.replace ?? false,
      });
    },
    [navigate, ref],
  );
  const close = useCallback(() => {
    void navigate({
      to: "/conversations",
      search: (old: ConversationsView) => ({ ...old, at: undefined, shown: undefined }),
    });
  }, [navigate]);
  const { status } = view;
  const statuses = useMemo(() => status ?? USUAL, [status]);
  return { view, ref, statuses, go, open, close };
}
