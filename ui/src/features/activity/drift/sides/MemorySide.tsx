import { Link } from "@tanstack/react-router";
import { plain } from "../../../../components/plain";
import { TierIcon } from "../../../../components/Tier";
import { useConversationName } from "../../../../components/useConversationName";
import { useI18n } from "../../../../i18n/i18n";
import type { DriftSide, MemoryRow } from "../../../../ipc/bindings.gen";
import type { SideKind } from "./kind";
import { LINK, META } from "./styles";

function Place({ side: { memory } }: { side: DriftSide }) {
  return memory && <MemoryPlace row={memory} />;
}

function MemoryPlace({ row }: { row: MemoryRow }) {
  const { t } = useI18n();
  const conversation = useConversationName(row.conversationRef);
  // An agent may be an AI client, whose name is the source.
  const who = row.curator === "agent" ? row.source : t(`actorKind.${row.curator}`);
  return (
    <>
      <p className={META}>
        <TierIcon scope={row.scope} size={12} />
        {row.conversationRef !== null ? (
          <Link
            to="/conversations/$ref"
            params={{ ref: row.conversationRef }}
            search={{}}
            className={LINK}
            title={t("tier.conversation")}
          >
            {conversation}
          </Link>
        ) : (
          <span>{row.channelName !== null ? `#${row.channelName}` : t(`tier.${row.scope}`)}</span>
        )}
        <span aria-hidden>·</span>
        <span>{t("drift.writtenBy", { who })}</span>
        <span aria-hidden>·</span>
        <Link to="/memory" search={{ id: row.id }} className={LINK}>
          {t("proposal.openMemory")}
        </Link>
      </p>
      {row.name !== null && <p className="mb-1 text-ui font-strong wrap-anywhere text-ink">{row.name}</p>}
    </>
  );
}

function Icon({ side: { memory }, size }: { side: DriftSide; size: number }) {
  return memory && <TierIcon scope={memory.scope} size={size} />;
}

export const MEMORY: SideKind = {
  Icon,
  Place,
  writtenAt: ({ memory }) => memory?.updatedAt ?? null,
  line: ({ memory, text }, t) => (memory ? plain(text).text : t("drift.side.gone")),
  words: ({ text }) => text,
  state: ({ memory }) => (!memory ? "gone" : memory.forgottenAt !== null ? "forgotten" : null),
};
