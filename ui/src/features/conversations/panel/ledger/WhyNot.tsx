import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { MemoryLink } from "../../../../components/MemoryLink";
import { MemoryPicker } from "../../../../components/MemoryPicker";
import { Answer } from "../../../../components/Panel";
import { plain } from "../../../../components/plain";
import { ScoreParts } from "../../../../components/ScoreParts";
import { visible } from "../../../../components/visible";
import { useI18n } from "../../../../i18n/i18n";
import type { MemoryRow, OrientRequest, PageRow, WhyView } from "../../../../ipc/bindings.gen";
import { whyQuery } from "../../../../ipc/queries";

/** The orientation that is asked about: one of the ledger, or what a question would give. */
export type WhyOf = { orientationId: string } | { orient: OrientRequest };

const NOTHING: OrientRequest = { conversation: null, channelId: null, query: "", budget: null, lens: null };

/** One of the two, or nothing yet. */
type Chosen = { row: MemoryRow | null; page: PageRow | null };

/** Answers for any one memory or page why the agent is shown it or not, also if it was never a candidate. */
export function WhyNot({ of }: { of: WhyOf }) {
  const { t } = useI18n();
  const id = useId();
  const [{ row, page }, choose] = useState<Chosen>({ row: null, page: null });
  const chosen = row ?? page;
  const recorded = "orientationId" in of;
  const query = useQuery({
    ...whyQuery({
      id: chosen?.id ?? "",
      orientationId: recorded ? of.orientationId : null,
      orient: recorded ? NOTHING : of.orient,
    }),
    enabled: chosen !== null,
  });
  return (
    <section aria-labelledby={id} className="mt-5 border-t border-line pt-4">
      <h4 id={id} className="text-ui font-strong text-ink">
        {t("whyNot.title")}
      </h4>
      <p className="mt-1 mb-2 text-meta text-pretty text-ink-2">{t("whyNot.body")}</p>
      <MemoryPicker
        value={row}
        onChange={(memory) => choose({ row: memory, page: null })}
        onPage={(found) => choose({ row: null, page: found })}
        chosen={page ? visible(page.title) : undefined}
        label={t("whyNot.which")}
      />
      {chosen !== null && (
        <div className="mt-3" aria-live="polite" aria-busy={query.isFetching}>
          <Answer query={query}>{(why) => <Explanation why={why} ofTurn={recorded} />}</Answer>
        </div>
      )}
    </section>
  );
}

/** The rule in words, then the rank and the parts of the score. */
function Explanation({ why, ofTurn }: { why: WhyView; ofTurn: boolean }) {
  const { t } = useI18n();
  const { row, rank, of, score, parts, tokens } = why;
  const layer = t(`ledger.layer.${why.layer}`);
  const rule = why.rule === "taken" && why.shortened ? "shortened" : why.rule;
  const place = [row?.channelName && `#${row.channelName}`, row?.conversationRef].filter(Boolean).join(", ");
  const label = why.otherLabel ? plain(why.otherLabel).text : t("ledger.gone");
  return (
    <>
      {row !== null && <MemoryLink row={row} />}
      {why.page !== null && (
        <Link
          to="/pages"
          search={{ id: why.page.id }}
          className="text-ui text-accent wrap-anywhere hover:underline"
        >
          {visible(why.page.title)}
        </Link>
      )}
      <p className="mt-2 text-ui text-pretty text-ink">{t(`whyNot.rule.${rule}`, { layer, place, label })}</p>
      {why.namedWithoutRoom && (
        <p className="mt-1 text-ui text-pretty text-ink-2">{t("whyNot.namedWithoutRoom")}</p>
      )}
      <p className="tabular mt-1 flex flex-wrap gap-x-2 text-meta text-ink-3">
        {rank !== null && (
          <span>
            {of === null ? t("whyNot.rank", { rank, layer }) : t("whyNot.rankOf", { rank, of, layer })}
          </span>
        )}
        {tokens !== null && (
          <span>{t("whyNot.tokens", { tokens, used: why.layerUsed, budget: why.layerBudget })}</span>
        )}
      </p>
      {ofTurn && !why.recorded && <p className="mt-1 text-meta text-pretty text-ink-2">{t("whyNot.now")}</p>}
      {score !== null && parts.length > 0 && <ScoreParts parts={parts} score={score} />}
    </>
  );
}
