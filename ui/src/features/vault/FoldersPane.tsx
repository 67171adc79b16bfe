import { FolderPlus } from "lucide-react";
import { type RefObject, useState } from "react";
import { Button } from "../../components/Button";
import { Confirm } from "../../components/Modal";
import { Progress } from "../../components/Progress";
import { useRelative } from "../../components/Time";
import { useToasts } from "../../components/toast";
import { visible } from "../../components/visible";
import { useI18n } from "../../i18n/i18n";
import type { VaultView } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { Skipped } from "./Skipped";
import type { Scans } from "./useScans";

type FoldersPaneProps = {
  vaults: VaultView[];
  scans: Scans;
  readOnly: boolean;
  region: RefObject<HTMLElement | null>;
  onLink(): void;
  onUnlinked(id: string): void;
  onClose(): void;
};

/** The linked folders: what was read of each and when, and what can be done with it. */
export function FoldersPane({
  vaults,
  scans,
  readOnly,
  region,
  onLink,
  onUnlinked,
  onClose,
}: FoldersPaneProps) {
  const { t } = useI18n();
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-labelledby="folders-title"
      className="min-w-0 flex-1 overflow-y-auto overscroll-contain outline-none"
    >
      <div className="mx-auto max-w-190 px-8 pt-8 pb-20">
        <div className="flex items-start justify-between gap-6">
          <div>
            <h2 id="folders-title" className="font-serif text-display text-ink">
              {t("vault.folders")}
            </h2>
            <p className="mt-2 max-w-[60ch] text-lead text-pretty text-ink-2">{t("vault.foldersBody")}</p>
          </div>
          <Button look="primary" disabled={readOnly} onClick={onLink}>
            <FolderPlus size={14} aria-hidden />
            {t("vault.link")}
          </Button>
        </div>
        <ul className="mt-6 border-t border-line">
          {vaults.map((vault) => (
            <Folder key={vault.id} vault={vault} scans={scans} readOnly={readOnly} onUnlinked={onUnlinked} />
          ))}
        </ul>
        <Button look="ghost" className="mt-4 -ml-3" onClick={onClose}>
          {t("vault.foldersClose")}
        </Button>
      </div>
    </section>
  );
}

type FolderProps = { vault: VaultView; scans: Scans; readOnly: boolean; onUnlinked(id: string): void };

function Folder({ vault, scans, readOnly, onUnlinked }: FolderProps) {
  const { t } = useI18n();
  const { notify, failed } = useToasts();
  const [asking, setAsking] = useState(false);
  const step = scans.running.get(vault.id);
  const name = visible(vault.name);
  const unlink = async () => {
    setAsking(false);
    try {
      await core.unlinkVault(vault.id);
      notify(t("vault.unlinked", { name }));
      onUnlinked(vault.id);
    } catch (error) {
      failed(error);
    }
  };
  return (
    <li className="border-b border-line py-5">
      <div className="flex items-start gap-6">
        <div className="min-w-0 flex-1">
          <h3 className="text-lead font-strong text-ink">{name}</h3>
          <p className="font-mono text-meta wrap-anywhere text-ink-2">{visible(vault.path)}</p>
          <p className="tabular mt-1 text-meta text-ink-2">
            <Facts vault={vault} />
          </p>
        </div>
        <div className="flex gap-2">
          {step ? (
            <Button onClick={scans.stop} aria-label={t("vault.stopNamed")}>
              {t("vault.stop")}
            </Button>
          ) : (
            <Button
              disabled={readOnly}
              aria-label={t("vault.scanNamed", { name })}
              onClick={() => void scans.scan(vault)}
            >
              {t("vault.scan")}
            </Button>
          )}
          <Button
            look="danger"
            disabled={readOnly || step !== undefined}
            aria-label={t("vault.unlinkNamed", { name })}
            onClick={() => setAsking(true)}
          >
            {t("vault.unlink")}
          </Button>
        </div>
      </div>
      {step && <ScanProgress name={name} done={step.done} total={step.total} />}
      {vault.skipped > 0 && <Skipped vault={vault} />}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void unlink()}
        title={t("vault.unlinkTitle", { name })}
        body={t("vault.unlinkBody")}
        confirm={t("vault.unlinkDo")}
      />
    </li>
  );
}

function Facts({ vault }: { vault: VaultView }) {
  const { t } = useI18n();
  const facts = [
    t("vault.pages", { count: vault.pages }),
    vault.attachments > 0 && t("vault.attachments", { count: vault.attachments }),
  ].filter(Boolean);
  return (
    <>
      {facts.join(" · ")} ·{" "}
      {vault.scannedAt === null ? t("vault.notScanned") : <ScannedAt iso={vault.scannedAt} />}
    </>
  );
}

function ScannedAt({ iso }: { iso: string }) {
  const { t, exact } = useI18n();
  return (
    <time dateTime={iso} title={exact(iso)}>
      {t("vault.scannedAt", { time: useRelative(iso) })}
    </time>
  );
}

type ScanProgressProps = { name: string; done: number; total: number };

/** How far a scan is. */
export function ScanProgress({ name, done, total }: ScanProgressProps) {
  const { t, number } = useI18n();
  return (
    <>
      <Progress label={t("vault.scanning", { name })} value={done} max={total} />
      <p aria-live="off" className="tabular mt-1 text-meta text-ink-2">
        {total === 0
          ? t("vault.starting")
          : t("vault.progress", { done: number(done), total: number(total) })}
      </p>
    </>
  );
}
