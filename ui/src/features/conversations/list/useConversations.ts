import { usePages } from "../../../components/usePages";
import type { ConversationStatus, ConversationView } from "../../../ipc/bindings.gen";
import { core } from "../../../ipc/client";
import { keys } from "../../../ipc/keys";

const PAGE = 100;
const idOf = (row: ConversationView) => row.id;

/** Conversations by their latest activity, page after page by keyset. */
export const useConversations = (channelId: string | null, statuses: readonly ConversationStatus[]) =>
  usePages(
    keys.conversationList(channelId, statuses),
    (after) =>
      core.listConversations({ channelId, statuses: [...statuses], title: null, after, limit: PAGE }),
    idOf,
  );
