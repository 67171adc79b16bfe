import { KeyRound } from "lucide-react";
import { Time } from "../../../../components/Time";
import { useI18n } from "../../../../i18n/i18n";
import type { FactView } from "../../../../ipc/bindings.gen";
import { Line } from "../Line";

/** A fact in the list, above what is claimed against it. */
export function ClaimRow({ fact }: { fact: FactView }) {
  const { t } = useI18n();
  const { category, key, value, claims } = fact;
  const icon = <KeyRound size={13} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />;
  return (
    <div>
      <p className="flex items-center gap-2 text-meta whitespace-nowrap text-ink-2">
        <span className="min-w-0 truncate">{t("drift.claims", { count: claims.length })}</span>
        {claims[0] && <Time iso={claims[0].at} className="ml-auto shrink-0 text-ink-3" />}
      </p>
      <Line name={t("drift.canon")} icon={icon} className="text-ink">
        {t("drift.factLine", { category, key, value })}
      </Line>
      <Line name={t("drift.claim")} icon={null} className="text-ink-2">
        {claims.map((it) => it.value).join(" · ")}
      </Line>
    </div>
  );
}
