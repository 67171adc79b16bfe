import { useCallback, useEffect, useRef, useState } from "react";
import { useToasts } from "../../components/toast";
import { useI18n } from "../../i18n/i18n";
import type { VaultProgress, VaultSync, VaultView } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { toCommandError } from "../../ipc/errors";
import { onVaultProgress } from "../../ipc/events";

/** Milliseconds after which a scan that reports nothing more is taken as ended, if another window began it. */
const SILENCE = 2000;

export type Scans = {
  /** The progress of each scan that is under way, by vault. Without files before their number is known. */
  running: ReadonlyMap<string, VaultProgress>;
  scan(vault: VaultView): Promise<void>;
  stop(): void;
};

const begun = (vaultId: string): VaultProgress => ({ vaultId, done: 0, total: 0 });

/** The scans of linked folders: those of this window, and those that report from elsewhere. */
export function useScans(): Scans {
  const { t } = useI18n();
  const { notify, failed } = useToasts();
  const [running, setRunning] = useState<ReadonlyMap<string, VaultProgress>>(new Map());
  const own = useRef(new Set<string>());
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  const show = useCallback((step: VaultProgress) => {
    setRunning((before) => new Map(before).set(step.vaultId, step));
  }, []);
  const end = useCallback((id: string) => {
    clearTimeout(timers.current.get(id));
    setRunning((before) => {
      const next = new Map(before);
      next.delete(id);
      return next;
    });
  }, []);
  useEffect(() => {
    const waits = timers.current;
    const stop = onVaultProgress((step) => {
      clearTimeout(waits.get(step.vaultId));
      if (step.done >= step.total && !own.current.has(step.vaultId)) return end(step.vaultId);
      show(step);
      if (own.current.has(step.vaultId)) return;
      waits.set(
        step.vaultId,
        setTimeout(() => end(step.vaultId), SILENCE),
      );
    });
    return () => {
      stop();
      for (const timer of waits.values()) clearTimeout(timer);
    };
  }, [show, end]);
  const tell = useCallback(
    ({ name }: VaultView, { added, changed, moved, removed, complete }: VaultSync) => {
      if (!complete) notify(t("vault.stopped", { name }));
      else if (added + changed + moved + removed === 0) notify(t("vault.unchanged", { name }));
      else notify(t("vault.scanned", { name, added, changed, moved, removed }));
    },
    [t, notify],
  );
  const scan = useCallback(
    async (vault: VaultView) => {
      if (own.current.has(vault.id)) return;
      own.current.add(vault.id);
      show(begun(vault.id));
      try {
        tell(vault, await core.syncVault(vault.id));
      } catch (error) {
        // The background does the same work.
        if (toCommandError(error).code === "busy") notify(t("vault.scanBusy", { name: vault.name }));
        else failed(error);
      } finally {
        own.current.delete(vault.id);
        end(vault.id);
      }
    },
    [t, notify, failed, show, end, tell],
  );
  const stop = useCallback(() => void core.cancelVaultSync().catch(failed), [failed]);
  return { running, scan, stop };
}
