import { useMemo } from "react";
import { asOwnSwitch } from "../../components/ownSwitch";
import { useToasts } from "../../components/toast";
import { useEntered } from "../../components/useEntered";
import { useI18n } from "../../i18n/i18n";
import type { WorkspaceView } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { dropLists } from "../../preferences/worldList";

export function useWorkspaceWrites() {
  const { t } = useI18n();
  const { notify, failed } = useToasts();
  const entered = useEntered();
  return useMemo(() => {
    return {
      /** Throws what the core refuses, so that the dialog can show it at the field. */
      create: async (name: string) => {
        const workspace = await core.createWorkspace(name);
        await asOwnSwitch(async () => {
          await core.switchWorkspace(workspace.id);
          await entered();
        });
        notify(t("workspace.created", { name: workspace.name }));
      },
      rename: async (id: string, name: string) => {
        const workspace = await core.renameWorkspace(id, name);
        notify(t("workspace.renamed", { name: workspace.name }));
      },
      /** True if the world is open now. */
      change: async (id: string): Promise<boolean> => {
        try {
          await asOwnSwitch(async () => {
            const workspace = await core.switchWorkspace(id);
            await entered();
            notify(t("workspace.switched", { name: workspace.name }));
          });
          return true;
        } catch (error) {
          failed(error);
          return false;
        }
      },
      remove: async (workspace: WorkspaceView, purge: boolean) => {
        await asOwnSwitch(async () => {
          await core.deleteWorkspace(workspace.id, purge);
          // From the trash it can come back.
          if (purge) dropLists(workspace.id);
          await entered();
        });
        notify(t("workspace.deleted", { name: workspace.name }));
      },
    };
  }, [t, notify, failed, entered]);
}
