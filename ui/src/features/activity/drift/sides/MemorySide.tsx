import { Link } from "@tanstack/react-router";
import { plain } from "../../../../components/plain";
import { TierIcon } from "../../../../components/Tier";
import { useConversationName } from "../../../../components/useConversationName";
import { useI18n } from "../../../../i18n/i18n";
import type { DriftSide, MemoryRow } from "../../../../ipc/bindings.gen";
import { type SideKind, WAY, written } from "./kind";

function Place({ side: { memory } }: { side: DriftSide }) {
  return memory && <MemoryPlace row={memory} />;
}

/** The tier; the name of the channel or of the conversation says more where there is one. */
function MemoryPlace({ row }: { row: MemoryRow }) {
  const { t } = useI18n();
  const conversation = useConversationName(row.conversationRef);
  const tier = t(`tier.${row.scope}`);
  const place = (row.scope === "conversation" ? conversation : row.channelName) || tier;
  return (
    <>
      {place !== tier && <span className="sr-only">{tier}: </span>}
      {row.scope === "conversation" && row.conversationRef !== null ? (
        <Link
          to="/conversations/$ref"
          params={{ ref: row.conversationRef }}
          search={{}}
          className="rounded-sm hover:text-accent hover:underline"
        >
          {place}
        </Link>
      ) : (
        place
      )}
      {row.name !== null && (
        <>
          {" · "}
          <span className="text-ink">{row.name}</span>
        </>
      )}
    </>
  );
}

function Way({ side: { memory } }: { side: DriftSide }) {
  const { t } = useI18n();
  if (!memory) return null;
  return (
    <Link to="/memory" search={{ id: memory.id }} className={WAY}>
      {t("proposal.openMemory")}
    </Link>
  );
}

function Icon({ side: { memory }, size }: { side: DriftSide; size: number }) {
  return memory && <TierIcon scope={memory.scope} size={size} />;
}

export const MEMORY: SideKind = {
  Icon,
  Place,
  Way,
  // An agent may be an AI client, whose name is the source.
  writer: ({ memory }, t) =>
    memory &&
    t("drift.writtenBy", {
      who: memory.curator === "agent" ? memory.source : t(`actorKind.${memory.curator}`),
    }),
  writtenAt: ({ memory }) => memory?.updatedAt ?? null,
  line: ({ memory, text, sentences }, t) =>
    memory ? plain(sentences.length > 0 ? written(sentences) : text).text : t("drift.side.gone"),
  words: ({ text }) => text,
  sentences: ({ sentences }) => sentences,
  state: ({ memory }) => (!memory ? "gone" : memory.forgottenAt !== null ? "forgotten" : null),
};
