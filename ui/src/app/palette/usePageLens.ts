import { useQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { lensOf } from "../../components/lens/address";
import { specOf } from "../../components/names/useNameIndex";
import type { LensSpec } from "../../ipc/bindings.gen";
import { conversationQuery } from "../../ipc/queries";

/** Whose knowledge the open page shows. `undefined` while that is not known: nothing may be searched then. */
export function usePageLens(): LensSpec | null | undefined {
  const { pathname, search } = useRouterState({ select: (state) => state.location });
  const [, page, ref = ""] = pathname.split("/");
  const isConversation = page === "conversations" && ref !== "";
  const conversation = useQuery({ ...conversationQuery(ref), enabled: isConversation });
  if (page === "memory" || page === "world") return lensOf(search);
  if (!isConversation) return null;
  // A conversation that cannot be read shows nothing, and has no lens.
  if (conversation.data === undefined) return conversation.isError ? null : undefined;
  return specOf(conversation.data.lens);
}
