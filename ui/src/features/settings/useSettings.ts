import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { type Action, useActions } from "../../components/actions";
import { useToasts } from "../../components/toast";
import { useCopy } from "../../components/useCopy";
import { useI18n } from "../../i18n/i18n";
import type { AppStatus, DecayPreset, DecayRates, Settings } from "../../ipc/bindings.gen";
import { announce } from "../../ipc/changes";
import { core } from "../../ipc/client";
import { keys } from "../../ipc/keys";

/** The presets as the core has them; the chosen one is written whole, so that the curve and the ranking agree. */
export const PRESET_RATES: Record<Exclude<DecayPreset, "custom">, DecayRates> = {
  steady: { account: 0.999, workspace: 0.998, channel: 0.995, conversation: 0.99 },
  brisk: { account: 0.998, workspace: 0.995, channel: 0.99, conversation: null },
};

export type WriteSettings = (settings: Settings) => Promise<void>;

/** Shows a change at once, and takes it back if the core refuses it. */
export function useSettingsWrite(): WriteSettings {
  const client = useQueryClient();
  const { failed } = useToasts();
  return useCallback(
    async (settings: Settings) => {
      // An answer that is still on its way tells how it was before.
      await client.cancelQueries({ queryKey: keys.settings });
      const before = client.getQueryData<Settings>(keys.settings);
      client.setQueryData(keys.settings, settings);
      try {
        await core.updateSettings(settings);
        announce("settings");
      } catch (error) {
        client.setQueryData(keys.settings, before);
        failed(error);
      }
    },
    [client, failed],
  );
}

export function useSettingsActions(settings: Settings | undefined, status: AppStatus | undefined): void {
  const { t } = useI18n();
  const copy = useCopy();
  const write = useSettingsWrite();
  useActions(
    useMemo((): Action[] => {
      if (!settings) return [];
      return [
        ...(["steady", "brisk"] as const).map(
          (preset): Action => ({
            id: `settings.decay.${preset}`,
            group: "settings",
            label: t("command.decay", { preset: t(`settings.decay.${preset}`) }),
            run: () =>
              void write({ ...settings, decay: { ...settings.decay, preset, rates: PRESET_RATES[preset] } }),
          }),
        ),
        {
          id: "settings.copyDataDir",
          group: "settings",
          label: t("command.copyDataDir"),
          enabled: status !== undefined,
          run: () => {
            if (status) copy(status.dataDir);
          },
        },
      ];
    }, [t, settings, status, write, copy]),
  );
}
