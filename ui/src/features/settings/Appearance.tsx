import { Monitor, Moon, Sun } from "lucide-react";
import { Part, Setting } from "../../components/Parts";
import { Segments } from "../../components/Segments";
import { Select } from "../../components/Select";
import { useI18n } from "../../i18n/i18n";
import { endonym } from "../../i18n/locales";
import type { Settings, Theme } from "../../ipc/bindings.gen";
import { usePreference } from "../../preferences/preference";
import { language, readingWidth, spelling, textSize } from "../../preferences/preferences";
import type { WriteSettings } from "./useSettings";
import { ZoomSetting } from "./ZoomSetting";

const THEMES = [
  { value: "system", Icon: Monitor },
  { value: "light", Icon: Sun },
  { value: "dark", Icon: Moon },
] as const;

export function Appearance({ settings, onChange }: { settings: Settings; onChange: WriteSettings }) {
  const { t } = useI18n();
  const spoken = usePreference(language);
  const size = usePreference(textSize);
  const width = usePreference(readingWidth);
  const spelled = usePreference(spelling);
  return (
    <Part title={t("settings.look.title")}>
      <Setting name={t("settings.look.theme")} note={t("settings.look.themeBody")}>
        <Segments<Theme>
          label={t("settings.look.theme")}
          value={settings.theme}
          onChange={(theme) => void onChange({ ...settings, theme })}
          options={THEMES.map(({ value, Icon }) => ({
            value,
            label: t(`theme.${value}`),
            icon: <Icon size={14} aria-hidden />,
          }))}
        />
      </Setting>
      <Setting name={t("settings.look.language")} note={t("settings.look.languageBody")}>
        <Select
          label={t("settings.look.language")}
          value={spoken}
          onChange={language.set}
          options={language.values.map((value) => ({
            value,
            label: value === "system" ? t("language.system") : endonym(value),
          }))}
        />
      </Setting>
      <ZoomSetting />
      <Setting name={t("settings.look.textSize")} note={t("settings.look.textSizeBody")}>
        <Segments
          label={t("settings.look.textSize")}
          value={size}
          onChange={textSize.set}
          options={textSize.values.map((value) => ({ value, label: t(`textSize.${value}`) }))}
        />
      </Setting>
      <Setting name={t("settings.look.readingWidth")} note={t("settings.look.readingWidthBody")}>
        <Segments
          label={t("settings.look.readingWidth")}
          value={width}
          onChange={readingWidth.set}
          options={readingWidth.values.map((value) => ({ value, label: t(`readingWidth.${value}`) }))}
        />
      </Setting>
      <Setting name={t("settings.look.spelling")} note={t("settings.look.spellingBody")}>
        <Select
          label={t("settings.look.spelling")}
          value={spelled}
          onChange={spelling.set}
          options={spelling.values.map((value) => ({
            value,
            label: value === "off" || value === "window" ? t(`spelling.${value}`) : endonym(value),
          }))}
        />
      </Setting>
    </Part>
  );
}
