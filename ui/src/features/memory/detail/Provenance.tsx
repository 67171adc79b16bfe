import { Link } from "@tanstack/react-router";
import { Lock, LockOpen } from "lucide-react";
import { Time } from "../../../components/Time";
import { useConversationName } from "../../../components/useConversationName";
import { useI18n } from "../../../i18n/i18n";
import type { MemoryDetail } from "../../../ipc/bindings.gen";
import { Fact, Section } from "./Section";

type ProvenanceProps = { detail: MemoryDetail; onConversation(id: string): void };

export function Provenance({ detail, onConversation }: ProvenanceProps) {
  const { t, relative, exact } = useI18n();
  const { row, origin } = detail;
  const conversation = useConversationName(row.conversationRef ?? row.conversationId);
  return (
    <Section title={t("origin.title")}>
      <dl className="-my-1">
        <Fact name={t("origin.curator")}>
          {t(`curator.${row.curator}`)}
          <span className="mt-1 flex items-start gap-1.5 text-meta text-ink-2">
            {detail.locked ? (
              <Lock size={12} className="mt-0.5 shrink-0" aria-hidden />
            ) : (
              <LockOpen size={12} className="mt-0.5 shrink-0" aria-hidden />
            )}
            {t(detail.locked ? "origin.locked" : "origin.unlocked")}
          </span>
        </Fact>
        <Fact name={t("origin.source")}>{row.source === "user" ? t("value.source.user") : row.source}</Fact>
        {origin?.speaker && <Fact name={t("origin.speaker")}>{origin.speaker}</Fact>}
        {origin?.saidAt && (
          <Fact name={t("origin.said")}>
            <Time iso={origin.saidAt} />
          </Fact>
        )}
        {origin?.session && <Fact name={t("origin.session")}>{origin.session}</Fact>}
        {origin?.externalId && <Fact name={t("origin.externalId")}>{origin.externalId}</Fact>}
        {row.channelName && <Fact name={t("origin.channel")}>#{row.channelName}</Fact>}
        {row.conversationId && (
          <Fact name={t("origin.conversation")}>
            <Link
              to="/conversations/$ref"
              params={{ ref: row.conversationRef ?? row.conversationId }}
              search={{}}
              title={row.conversationRef ?? undefined}
              className="inline-flex min-h-6 items-center text-accent wrap-anywhere hover:underline"
            >
              {conversation}
            </Link>
            <button
              type="button"
              onClick={() => row.conversationId && onConversation(row.conversationId)}
              className="block min-h-6 text-left text-meta text-ink-2 hover:text-ink hover:underline"
            >
              {t("origin.conversationOpen")}
            </button>
          </Fact>
        )}
        <Fact name={t("origin.created")}>
          <Time iso={row.createdAt} />
        </Fact>
        {row.version > 1 && (
          <Fact name={t("origin.updated")}>
            <span title={exact(row.updatedAt)}>
              {t("origin.updatedBy", {
                when: relative(row.updatedAt),
                who: t(`actorKind.${detail.writtenBy}`),
              })}
            </span>
          </Fact>
        )}
        <Fact name={t("origin.recalled")}>
          <span title={exact(row.accessedAt)}>
            {t("origin.recalledTimes", { count: row.accessCount, when: relative(row.accessedAt) })}
          </span>
        </Fact>
        <Fact name={t("origin.embedding")}>
          {row.hasEmbedding
            ? t("origin.embeddingReady", { model: detail.embeddingModel ?? "" })
            : t("origin.embeddingWaiting")}
        </Fact>
      </dl>
    </Section>
  );
}
