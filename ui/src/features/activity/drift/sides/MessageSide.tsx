import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MessageSquareText } from "lucide-react";
import { plain } from "../../../../components/plain";
import { useI18n } from "../../../../i18n/i18n";
import type { DriftSide, MessageView } from "../../../../ipc/bindings.gen";
import { conversationQuery } from "../../../../ipc/queries";
import { type SideKind, WAY, written } from "./kind";

function Place({ side: { message } }: { side: DriftSide }) {
  return message && <Conversation message={message} />;
}

/** The name of the conversation. The icon says that it is a message. */
function Conversation({ message }: { message: MessageView }) {
  const { t } = useI18n();
  const { data } = useQuery(conversationQuery(message.conversationId));
  if (!data) return t("drift.message");
  return (
    <>
      <span className="sr-only">{t("drift.message")}: </span>
      <span className="text-ink">{data.title === "" ? t("conversation.untitled") : data.title}</span>
    </>
  );
}

function Way({ side: { message } }: { side: DriftSide }) {
  return message && <ToMessage message={message} />;
}

function ToMessage({ message }: { message: MessageView }) {
  const { t } = useI18n();
  const { data } = useQuery(conversationQuery(message.conversationId));
  if (!data) return null;
  return (
    <Link
      to="/conversations/$ref"
      params={{ ref: data.refCode }}
      search={{ at: message.position }}
      className={WAY}
    >
      {t("drift.openMessage")}
    </Link>
  );
}

function Icon({ size }: { size: number }) {
  return <MessageSquareText size={size} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />;
}

export const MESSAGE: SideKind = {
  Icon,
  Place,
  Way,
  writer: ({ message }, t) =>
    message &&
    t("drift.writtenBy", {
      who: message.speaker ?? t(message.role === "user" ? "actorKind.author" : "actorKind.agent"),
    }),
  writtenAt: ({ message }) => message && (message.saidAt ?? message.at),
  line: ({ message, text, sentences }, t) =>
    message ? plain(sentences.length > 0 ? written(sentences) : text).text : t("drift.side.gone"),
  words: ({ text }) => text,
  sentences: ({ sentences }) => sentences,
  state: ({ message }) => (message ? null : "gone"),
};
