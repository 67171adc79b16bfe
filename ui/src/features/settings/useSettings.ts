import { useMemo } from "react";
import { type Action, useActions } from "../../components/actions";
import { useCopy } from "../../components/useCopy";
import { useWriteAhead } from "../../components/useWriteAhead";
import { useI18n } from "../../i18n/i18n";
import type { AppStatus, DecayPreset, DecayRates, Settings } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { keys } from "../../ipc/keys";

/** The presets as the core has them; the chosen one is written whole, so that the curve and the ranking agree. */
export const PRESET_RATES: Record<Exclude<DecayPreset, "custom">, DecayRates> = {
  steady: { account: 0.999, workspace: 0.998, channel: 0.995, conversation: 0.99 },
  brisk: { account: 0.998, workspace: 0.995, channel: 0.99, conversation: null },
};

export type WriteSettings = (settings: Settings) => Promise<void>;

export const useSettingsWrite = (): WriteSettings => useWriteAhead(keys.settings, core.updateSettings);

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
