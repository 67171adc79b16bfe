import { useQuery } from "@tanstack/react-query";
import { useI18n } from "../../i18n/i18n";
import { channelsQuery, conversationQuery } from "../../ipc/queries";

const TIERS = ["conversation", "channel", "workspace", "account", "purge_conversation"] as const;

/** What an act of the audit log was about: the log has kind and id; the name comes from here, while there is one. */
export function Subject({ scope }: { scope: string }) {
  const { t } = useI18n();
  const [word = "", id = ""] = scope.split(" ");
  const kind = TIERS.find((it) => it === word);
  const tier = kind === "purge_conversation" ? "conversation" : kind;
  const { data: channels } = useQuery({ ...channelsQuery, enabled: tier === "channel" });
  const conversation = useQuery({
    ...conversationQuery(id),
    enabled: tier === "conversation" && id !== "",
  }).data;
  // What is gone has no name, and the log keeps none.
  if (word === "entry" || word === "subject") return t(`scrub.kind.${word}`);
  if (!tier) return <span className="font-mono text-meta">{scope}</span>;
  const channel = channels?.find((it) => it.id === id);
  const name =
    tier === "channel"
      ? channel && `#${channel.name}`
      : conversation && (conversation.title || conversation.refCode);
  return (
    <>
      {t(`tier.${tier}`)} {name ?? (id !== "" && <span className="font-mono text-meta">{id}</span>)}
    </>
  );
}
