import { useQuery } from "@tanstack/react-query";
import { FileWarning } from "lucide-react";
import { Button } from "../../../components/Button";
import { useI18n } from "../../../i18n/i18n";
import type { BackupView } from "../../../ipc/bindings.gen";
import { damagedQuery } from "../../../ipc/queries";

type DamagedProps = { disabled: boolean; onRestore(backup: BackupView): void; onAnew(): void };

/** What was damaged at this start, where it goes, and the newest good backup of it. */
export function Damaged({ disabled, onRestore, onAnew }: DamagedProps) {
  const { t, exact } = useI18n();
  const { data = [] } = useQuery(damagedQuery);
  if (data.length === 0) return null;
  return (
    <div role="alert" className="fc-border mb-6 rounded-md border border-danger bg-danger-wash px-4 py-3">
      <div className="flex gap-3">
        <FileWarning size={18} className="mt-0.5 shrink-0 text-danger" aria-hidden />
        <div className="min-w-0 flex-1">
          <h2 className="text-lead font-strong text-danger">{t("backup.damaged", { count: data.length })}</h2>
          <p className="mt-1 text-ui text-ink">{t("backup.damagedBody")}</p>
          <ul>
            {data.map(({ file, account, quarantined, newest }) => (
              <li
                key={`${quarantined}/${file}`}
                className="mt-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-2"
              >
                <div className="min-w-0">
                  <code className="block font-mono text-meta wrap-anywhere text-ink select-text" title={file}>
                    {quarantined}
                  </code>
                  <p className="text-ui text-ink">
                    {newest ? t("backup.damagedOffer", { when: exact(newest.at) }) : t("backup.damagedNone")}
                  </p>
                </div>
                {newest && (
                  <Button disabled={disabled} onClick={() => onRestore(newest)}>
                    {t("backup.damagedDo")}
                  </Button>
                )}
                {!newest && account && (
                  <Button disabled={disabled} onClick={onAnew}>
                    {t("backup.anew")}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </div>
      </div>
    </div>
  );
}
