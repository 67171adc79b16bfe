import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Answer, PanelEmpty } from "../../../components/Panel";
import { plain } from "../../../components/plain";
import { TierIcon } from "../../../components/Tier";
import { Time } from "../../../components/Time";
import { useI18n } from "../../../i18n/i18n";
import type { ConversationView } from "../../../ipc/bindings.gen";
import { conversationMemoriesQuery } from "../../../ipc/queries";

/** The memories that belong to this conversation. */
export function Memories({ conversation }: { conversation: ConversationView }) {
  const { t } = useI18n();
  const query = useQuery(conversationMemoriesQuery(conversation.id));
  return (
    <Answer query={query}>
      {({ rows }) =>
        rows.length === 0 ? (
          <PanelEmpty title={t("conversation.memories.none")} body={t("conversation.memories.noneBody")} />
        ) : (
          <>
            <ul className="divide-y divide-line">
              {rows.map((row) => (
                <li key={row.id}>
                  <Link
                    to="/memory"
                    search={{ scope: "conversation", conversation: conversation.id, id: row.id }}
                    className="-mx-2 block rounded-sm px-2 py-3 hover:bg-hover"
                  >
                    <span className="line-clamp-3 font-serif text-snippet text-ink">
                      {plain(row.preview).text}
                    </span>
                    <span className="mt-1 flex items-center gap-2 text-meta text-ink-3">
                      <TierIcon scope={row.scope} size={12} />
                      {t(`tier.${row.scope}`)}
                      <span aria-hidden>·</span>
                      <Time iso={row.updatedAt} />
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
            <Link
              to="/memory"
              search={{ scope: "conversation", conversation: conversation.id }}
              className="mt-3 inline-flex min-h-6 items-center rounded-sm text-ui text-accent hover:underline"
            >
              {t("conversation.memories.all")}
            </Link>
          </>
        )
      }
    </Answer>
  );
}
