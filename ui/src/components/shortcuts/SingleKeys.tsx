import { useI18n } from "../../i18n/i18n";
import { usePreference } from "../../preferences/preference";
import { singleKeys } from "../../preferences/preferences";
import { Switch } from "../Fields";
import { Setting } from "../Parts";

/** Switches off every shortcut of a single letter, digit or sign. */
export function SingleKeys() {
  const { t } = useI18n();
  const single = usePreference(singleKeys) === "on";
  return (
    <Setting name={t("shortcuts.single")} note={t("shortcuts.singleBody")}>
      <Switch
        label={t("shortcuts.single")}
        checked={single}
        onChange={(on) => singleKeys.set(on ? "on" : "off")}
      />
    </Setting>
  );
}
