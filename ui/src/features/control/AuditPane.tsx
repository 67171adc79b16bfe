import { useQuery } from "@tanstack/react-query";
import { RefreshCw, ShieldAlert, ShieldCheck } from "lucide-react";
import { Button } from "../../components/Button";
import { Empty, Failed } from "../../components/States";
import { ROW, Table } from "../../components/Table";
import { Time } from "../../components/Time";
import { useToasts } from "../../components/toast";
import { useI18n } from "../../i18n/i18n";
import type { AuditView } from "../../ipc/bindings.gen";
import { auditQuery } from "../../ipc/queries";
import { Loading } from "./Loading";
import { Subject } from "./Subject";

/** What was destroyed or replaced, by whom, and whether the log itself still holds. */
export function AuditPane() {
  const { t } = useI18n();
  const { notify } = useToasts();
  const { data, error, refetch, isPending, isFetching } = useQuery(auditQuery);
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Loading />;
  const broken = data.chains.filter((it) => !it.ok);
  const verified = data.chains.reduce((sum, it) => sum + it.rows, 0);
  const again = async () => {
    const after = await refetch();
    if (after.data?.chains.every((it) => it.ok)) notify(t("audit.verified"));
  };
  return (
    <>
      {broken.map((chain) => (
        <div
          key={chain.file}
          role="alert"
          className="fc-border mb-4 flex gap-3 rounded-md border border-danger bg-danger-wash px-4 py-3"
        >
          <ShieldAlert size={18} className="mt-0.5 shrink-0 text-danger" aria-hidden />
          <div>
            <h2 className="text-lead font-strong text-danger">
              {t("audit.broken", { file: chain.file === "account" ? t("audit.account") : chain.file })}
            </h2>
            <p className="mt-1 max-w-[70ch] text-ui text-pretty text-ink">
              {t("audit.brokenAt", { at: chain.brokenAt ?? 0, count: chain.rows })}
            </p>
          </div>
        </div>
      ))}
      <div className="flex items-start justify-between gap-6">
        <div>
          <p className="max-w-[60ch] text-lead text-pretty text-ink-2">{t("audit.body")}</p>
          {broken.length === 0 && data.rows.length > 0 && (
            <p className="mt-2 flex items-center gap-2 text-ui text-ink">
              <ShieldCheck size={15} className="shrink-0 text-accent" aria-hidden />
              {t("audit.whole", { count: verified })}
            </p>
          )}
          {data.chains.map(
            ({ file, anew }) =>
              anew && (
                <p key={file} className="mt-2 flex items-start gap-2 text-ui text-pretty text-ink">
                  <ShieldAlert size={15} className="mt-0.5 shrink-0 text-danger" aria-hidden />
                  {t("audit.anew", {
                    file: file === "account" ? t("audit.account") : file,
                    at: anew.row,
                    last: anew.lastRow ?? 0,
                  })}
                </p>
              ),
          )}
        </div>
        <Button aria-disabled={isFetching || undefined} onClick={() => !isFetching && void again()}>
          <RefreshCw size={14} aria-hidden />
          {t("audit.again")}
        </Button>
      </div>
      {data.rows.length === 0 ? (
        <Empty title={t("audit.none.title")} body={t("audit.none.body")} />
      ) : (
        <Table
          caption={t("audit.table")}
          className="mt-5 w-full"
          columns={[
            { label: t("audit.column.number"), width: "w-14" },
            { label: t("audit.column.act") },
            { label: t("audit.column.rows"), width: "w-20", end: true },
            { label: t("audit.column.who"), width: "w-48" },
            { label: t("audit.column.seal"), width: "w-28" },
            { label: t("audit.column.when"), width: "w-32", end: true },
          ]}
        >
          {data.rows.map((row) => (
            <Entry key={`${row.file} ${row.sequence}`} row={row} />
          ))}
        </Table>
      )}
    </>
  );
}

function Entry({ row }: { row: AuditView }) {
  const { t, number } = useI18n();
  return (
    <tr className={ROW}>
      <td className="text-ink-2">{number(row.sequence)}</td>
      <th scope="row" className="text-left font-normal">
        <span className="text-ink">
          {t(`audit.act.${row.act}`)}: <Subject scope={row.scope} />
        </span>
        <span className="block text-meta text-ink-2">
          {row.file === "account" ? t("tier.account") : row.file}
          {row.mode && ` · ${t(`audit.mode.${row.mode}`)}`}
        </span>
      </th>
      <td className="text-right text-ink">{number(row.rows)}</td>
      <td className="text-ink">
        {row.operator}
        <span className="block text-meta text-ink-2">{t(`interface.${row.interface}`)}</span>
      </td>
      <td>
        <code title={row.hash} className="font-mono text-meta text-ink-2 select-text">
          {row.hash.slice(0, 12)}
        </code>
      </td>
      <td className="text-right">
        <Time iso={row.at} className="text-ink-2" />
      </td>
    </tr>
  );
}
