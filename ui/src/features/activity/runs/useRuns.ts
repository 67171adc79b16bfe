import { useEffect, useMemo, useState } from "react";
import { useLatest } from "../../../components/hooks";
import { useToasts } from "../../../components/toast";
import { useI18n } from "../../../i18n/i18n";
import type { Reverted, RunProgress } from "../../../ipc/bindings.gen";
import { core } from "../../../ipc/client";
import { onRunProgress } from "../../../ipc/events";

/** What the run that is under way reports; null while none is. */
export function useRunProgress(): RunProgress | null {
  const { t } = useI18n();
  const { notify } = useToasts();
  const [progress, setProgress] = useState<RunProgress | null>(null);
  const latest = useLatest({ t, notify });
  useEffect(
    () =>
      onRunProgress((next) => {
        const { t, notify } = latest.current;
        const under = next.run.state === "running";
        setProgress(under ? next : null);
        if (under) return;
        if (next.run.state === "done" && next.run.trigger === "asked") notify(t("run.done.done"));
        if (next.run.state === "cancelled") notify(t("run.done.cancelled"));
      }),
    [latest],
  );
  return progress;
}

export function useRunWrites() {
  const { failed } = useToasts();
  return useMemo(
    () => ({
      begin: async () => {
        try {
          const run = await core.runConsolidation();
          return run.id;
        } catch (error) {
          failed(error);
          return null;
        }
      },
      cancel: (task: string) => void core.cancelRun(task).catch(failed),
      revert: async (id: string): Promise<Reverted | null> => {
        try {
          const reverted = await core.revertRun(id);
          return reverted;
        } catch (error) {
          failed(error);
          return null;
        }
      },
    }),
    [failed],
  );
}
