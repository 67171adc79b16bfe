import { Link } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import { useI18n } from "../../../../i18n/i18n";
import type { DriftSide, FactView } from "../../../../ipc/bindings.gen";
import type { SideKind } from "./kind";
import { LINK, META } from "./styles";

function Place({ side: { fact } }: { side: DriftSide }) {
  return fact && <FactPlace fact={fact} />;
}

function FactPlace({ fact }: { fact: FactView }) {
  const { t } = useI18n();
  const { category, key, source, conversationRef } = fact;
  return (
    <>
      <p className={META}>
        <KeyRound size={12} strokeWidth={1.75} className="shrink-0" aria-hidden />
        <span>{t("recall.fact")}</span>
        <span aria-hidden>·</span>
        <span>{t(`fact.source.${source}`)}</span>
        {conversationRef !== null && (
          <>
            <span aria-hidden>·</span>
            <Link
              to="/conversations/$ref"
              params={{ ref: conversationRef }}
              search={{ tab: "facts" }}
              className={LINK}
            >
              {t("drift.openFact")}
            </Link>
          </>
        )}
      </p>
      <p className="mb-1 text-ui font-strong wrap-anywhere text-ink">
        {t("drift.factOf", { category, key })}
      </p>
    </>
  );
}

function Icon({ size }: { size: number }) {
  return <KeyRound size={size} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />;
}

export const FACT: SideKind = {
  Icon,
  Place,
  writtenAt: ({ fact }) => fact?.updatedAt ?? null,
  line: ({ fact, text }, t) =>
    fact
      ? t("drift.factLine", { category: fact.category, key: fact.key, value: text })
      : t("drift.side.gone"),
  words: ({ fact, text }) => (fact ? `${fact.category} ${fact.key} ${text}` : text),
  state: ({ fact }) => (!fact ? "gone" : fact.removedAt !== null ? "removed" : null),
};
