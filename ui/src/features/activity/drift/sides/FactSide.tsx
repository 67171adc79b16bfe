import { Link } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import { useI18n } from "../../../../i18n/i18n";
import type { DriftSide } from "../../../../ipc/bindings.gen";
import { type SideKind, WAY } from "./kind";

function Place({ side: { fact } }: { side: DriftSide }) {
  const { t } = useI18n();
  if (!fact) return null;
  const { category, key } = fact;
  return (
    <>
      {t("recall.fact")}
      {" · "}
      <span className="text-ink">{t("drift.factOf", { category, key })}</span>
    </>
  );
}

/** Facts are shown next to a conversation. One that comes from none has no page to go to. */
function Way({ side: { fact } }: { side: DriftSide }) {
  const { t } = useI18n();
  if (!fact || fact.conversationRef === null) return null;
  return (
    <Link
      to="/conversations/$ref"
      params={{ ref: fact.conversationRef }}
      search={{ tab: "facts" }}
      className={WAY}
    >
      {t("drift.openFact")}
    </Link>
  );
}

function Icon({ size }: { size: number }) {
  return <KeyRound size={size} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />;
}

export const FACT: SideKind = {
  Icon,
  Place,
  Way,
  writer: ({ fact }, t) => fact && t(`drift.setBy.${fact.source}`),
  writtenAt: ({ fact }) => fact?.updatedAt ?? null,
  line: ({ fact, text }, t) =>
    fact
      ? t("drift.factLine", { category: fact.category, key: fact.key, value: text })
      : t("drift.side.gone"),
  words: ({ fact, text }) => (fact ? `${fact.category} ${fact.key} ${text}` : text),
  // The core reads a value with its key as one sentence. That sentence is the whole fact.
  sentences: ({ text, sentences }) => sentences.filter((it) => text.includes(it)),
  state: ({ fact }) => (!fact ? "gone" : fact.removedAt !== null ? "removed" : null),
};
