import { useQuery } from "@tanstack/react-query";
import { conversationQuery } from "../ipc/queries";

/** What a conversation is called: its title, or its code where it has none or is not read yet. */
export function useConversationName(ref: string | null | undefined): string {
  const { data } = useQuery({ ...conversationQuery(ref ?? ""), enabled: !!ref });
  return data?.title || data?.refCode || (ref ?? "");
}
