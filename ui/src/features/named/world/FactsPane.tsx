import type { ReactNode } from "react";
import { Facts } from "../../../components/facts/Facts";
import { useI18n } from "../../../i18n/i18n";

/** The facts of the world, without a conversation. */
export function FactsPane({ look, readOnly }: { look: ReactNode; readOnly: boolean }) {
  const { t } = useI18n();
  return (
    <div className="flex h-full min-w-0 flex-col">
      <header className="shrink-0 border-b border-line px-4 py-3">
        <div className="flex min-h-9 flex-wrap items-center gap-3">
          <h1 className="text-title font-strong text-ink">{t("nav.world")}</h1>
          {look}
        </div>
        <p className="mt-1 max-w-[72ch] text-meta text-pretty text-ink-2">{t("fact.page")}</p>
      </header>
      <section aria-label={t("graph.look.facts")} className="min-h-0 flex-1 overflow-y-auto">
        <div className="max-w-180 px-4 py-5">
          <Facts refCode={null} readOnly={readOnly} />
        </div>
      </section>
    </div>
  );
}
