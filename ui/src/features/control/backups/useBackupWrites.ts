import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useToasts } from "../../../components/toast";
import { useI18n } from "../../../i18n/i18n";
import type { BackupView } from "../../../ipc/bindings.gen";
import { core } from "../../../ipc/client";
import { keys } from "../../../ipc/keys";

export type Busy =
  | { what: "making" | "beginning" | "rebuilding" }
  | { what: "checking" | "restoring" | "purging"; id: string }
  | null;

/** Every act on backups. One at a time: each of them reads or writes whole files. */
export function useBackupWrites() {
  const { t, exact } = useI18n();
  const { notify, failed, undoable, offered } = useToasts();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [busy, setBusy] = useState<Busy>(null);
  const writes = useMemo(() => {
    const act = async (now: Busy, work: () => Promise<void>) => {
      setBusy(now);
      try {
        await work();
        return true;
      } catch (error) {
        failed(error);
        return false;
      } finally {
        setBusy(null);
        void client.invalidateQueries({ queryKey: keys.backups });
        void client.invalidateQueries({ queryKey: keys.audit });
      }
    };
    /** Whole files were replaced: nothing that was read before holds. */
    const reset = () => client.resetQueries();
    return {
      make: () =>
        act({ what: "making" }, async () => {
          await core.backUpNow();
          notify(t("backup.done.made"));
        }),
      check: ({ id }: BackupView) =>
        act({ what: "checking", id }, async () => {
          const { ok } = await core.checkBackup(id);
          if (ok === false) failed({ code: "corrupt", message: t("backup.done.bad"), details: null });
          else notify(t("backup.done.good"));
        }),
      restore: ({ id, scrubsSince }: BackupView, withScrubbed: boolean) =>
        act({ what: "restoring", id }, async () => {
          const scrubbed = withScrubbed ? "bring_back" : "scrub_first";
          const { restored, before } = await core.restoreBackup(id, scrubsSince > 0 ? scrubbed : "refuse");
          await reset();
          undoable(t("backup.done.restored", { when: exact(restored.at) }), async () => {
            await core.restoreBackup(before.id, "refuse");
            await reset();
            notify(t("backup.done.undone"));
          });
          if (restored.scrubsSince > 0)
            offered(t("backup.done.scrubbed", { count: scrubsSince }), t("backup.scrubAgain"), () => {
              void navigate({ to: "/control", search: { part: "scrub" } });
            });
        }),
      anew: () =>
        act({ what: "beginning" }, async () => {
          await core.beginAccountAnew();
          await reset();
          notify(t("backup.done.anew"));
        }),
      rebuild: () =>
        act({ what: "rebuilding" }, async () => {
          const count = await core.rebuildIndexes();
          if (count > 0) await reset();
          notify(t("backup.done.rebuilt", { count }));
        }),
      purge: ({ id }: BackupView) =>
        act({ what: "purging", id }, async () => {
          await core.purgeBackup(id);
          notify(t("backup.done.purged"));
        }),
    };
  }, [t, exact, notify, failed, undoable, offered, navigate, client]);
  return { busy, ...writes };
}
