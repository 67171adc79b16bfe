import { useQuery } from "@tanstack/react-query";
import { Failed } from "../../components/States";
import { size } from "../../components/size";
import { ROW, Table } from "../../components/Table";
import { TIERS, TierIcon } from "../../components/Tier";
import { useRelative } from "../../components/Time";
import { useI18n } from "../../i18n/i18n";
import type { Scope, TierOverview } from "../../ipc/bindings.gen";
import { overviewQuery } from "../../ipc/queries";
import { Loading } from "./Loading";

const HUE: Record<Scope, string> = {
  account: "bg-tier-account",
  workspace: "bg-tier-workspace",
  channel: "bg-tier-channel",
  conversation: "bg-tier-conversation",
};

const CURATORS = [
  ["author", "byAuthor", "bg-accent"],
  ["agent", "byAgent", "bg-ink-3"],
  ["import", "byImport", "bg-line-strong"],
] as const;

/** What each tier holds, how old it is, and how much of it fades. */
export function OverviewPane() {
  const i18n = useI18n();
  const { t, number } = i18n;
  const { data, error, refetch, isPending } = useQuery(overviewQuery);
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Loading />;
  // In the order of the tabs of Memory, whatever order they come in.
  const tiers = data.toSorted((a, b) => TIERS.indexOf(a.scope) - TIERS.indexOf(b.scope));
  const most = Math.max(1, ...data.map((it) => it.active));
  const sum = (of: "active" | "forgotten" | "fading" | "bytes") =>
    data.reduce((total, it) => total + it[of], 0);
  return (
    <>
      <p className="max-w-[60ch] text-lead text-pretty text-ink-2">{t("overview.body")}</p>
      <Table
        caption={t("overview.table")}
        className="mt-5 w-full table-fixed narrow:table-auto"
        columns={[
          { label: t("overview.tier"), width: "w-[12%]" },
          { label: t("overview.memories"), width: "w-[13%]" },
          { label: t("overview.curators") },
          { label: t("overview.fading"), width: "w-[9%]", end: true, title: t("overview.fadingBody") },
          { label: t("overview.age"), width: "w-[17%]" },
          { label: t("overview.size"), width: "w-[8%]", end: true },
          { label: t("overview.consolidated"), width: "w-[12%]", end: true },
        ]}
        foot={
          <tr className="align-top text-ink [&>*]:px-3 [&>*]:py-3">
            <th scope="row" className="text-left font-normal text-ink-2">
              {t("overview.all")}
            </th>
            <td>
              {number(sum("active"))}
              {sum("forgotten") > 0 && (
                <span className="block text-meta text-ink-3">
                  {t("overview.forgotten", { count: sum("forgotten") })}
                </span>
              )}
            </td>
            <td />
            <td className="text-right">{number(sum("fading"))}</td>
            <td />
            <td className="text-right">{size(sum("bytes"), i18n)}</td>
            <td />
          </tr>
        }
      >
        {tiers.map((tier) => (
          <Tier key={tier.scope} tier={tier} share={tier.active / most} />
        ))}
      </Table>
    </>
  );
}

function Tier({ tier, share }: { tier: TierOverview; share: number }) {
  const i18n = useI18n();
  const { t, number } = i18n;
  return (
    <tr className={ROW}>
      <th scope="row" className="text-left font-normal text-ink">
        <span className="inline-flex items-center gap-2">
          <TierIcon scope={tier.scope} size={15} />
          {t(`tier.${tier.scope}`)}
        </span>
      </th>
      <td className="text-ink">
        <span className="flex items-center gap-3">
          <span className="w-10 shrink-0">{number(tier.active)}</span>
          <span aria-hidden className="h-1.5 flex-1">
            <span
              className={`fc-border block h-1.5 rounded-full ${HUE[tier.scope]}`}
              style={{ width: `${share * 100}%`, minWidth: tier.active > 0 ? 3 : 0 }}
            />
          </span>
        </span>
        <span className="block text-meta text-ink-3">
          {[
            ...(tier.named > 0 ? [t("overview.named", { count: tier.named })] : []),
            ...(tier.forgotten > 0 ? [t("overview.forgotten", { count: tier.forgotten })] : []),
          ].join(" · ")}
        </span>
      </td>
      <td>
        {tier.active === 0 ? (
          <span className="text-ink-3">{t("overview.none")}</span>
        ) : (
          <>
            <span aria-hidden className="mt-1.75 mb-1.75 flex h-1.5 gap-px overflow-hidden rounded-full">
              {CURATORS.map(([curator, of, hue]) => (
                <span
                  key={curator}
                  className={`fc-border h-1.5 ${hue}`}
                  style={{ width: `${(tier[of] / tier.active) * 100}%` }}
                />
              ))}
            </span>
            <span className="flex flex-wrap gap-x-2.5 text-meta text-ink-2">
              {CURATORS.filter(([, of]) => tier[of] > 0).map(([curator, of, hue]) => (
                <span key={curator} className="inline-flex items-center gap-1 whitespace-nowrap">
                  <span aria-hidden className={`size-1.5 rounded-full ${hue}`} />
                  {t(`overview.curator.${curator}`, { count: tier[of] })}
                </span>
              ))}
            </span>
          </>
        )}
      </td>
      <td className="text-right text-ink">{number(tier.fading)}</td>
      <td className="text-ink-2">
        {tier.newest !== null && <Age message="overview.newest" iso={tier.newest} className="text-ink" />}
        {tier.oldest !== null && <Age message="overview.oldest" iso={tier.oldest} className="text-meta" />}
      </td>
      <td className="text-right text-ink">{size(tier.bytes, i18n)}</td>
      <td className="text-right text-ink-2">
        {tier.lastConsolidation === null ? (
          t("overview.never")
        ) : (
          <Age message={null} iso={tier.lastConsolidation} className="" />
        )}
      </td>
    </tr>
  );
}

type AgeProps = { message: "overview.newest" | "overview.oldest" | null; iso: string; className: string };

function Age({ message, iso, className }: AgeProps) {
  const { t, exact } = useI18n();
  const when = useRelative(iso);
  return (
    <time dateTime={iso} title={exact(iso)} className={`block ${className}`}>
      {message === null ? when : t(message, { when })}
    </time>
  );
}
