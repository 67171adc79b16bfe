import { useCallback } from "react";
import { useI18n } from "../i18n/i18n";
import { core } from "../ipc/client";
import { asOwnSwitch } from "./ownSwitch";
import { useToasts } from "./toast";
import { offerTour } from "./tour";
import { useEntered } from "./useEntered";

/** Loads the sample world, which is a world of its own, goes there and offers the tour. */
export function useLoadSample(): () => Promise<void> {
  const { t } = useI18n();
  const { notify, failed } = useToasts();
  const entered = useEntered();
  return useCallback(async () => {
    try {
      await asOwnSwitch(async () => {
        await core.loadSampleWorld();
        await entered();
      });
      notify(t("welcome.loaded"));
      offerTour();
    } catch (error) {
      failed(error);
    }
  }, [t, notify, failed, entered]);
}
