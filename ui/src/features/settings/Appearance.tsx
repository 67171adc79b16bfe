import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import { clsx } from "clsx";
import { Monitor, Moon, Sun } from "lucide-react";
import { Switch } from "../../components/Fields";
import { Part, Setting } from "../../components/Parts";
import { Select } from "../../components/Select";
import { useI18n } from "../../i18n/i18n";
import { ENDONYMS } from "../../i18n/locales";
import type { Settings, Theme } from "../../ipc/bindings.gen";
import { usePreference } from "../../preferences/preference";
import { language, singleKeys } from "../../preferences/preferences";
import type { WriteSettings } from "./useSettings";

const THEMES = [
  { value: "system", Icon: Monitor },
  { value: "light", Icon: Sun },
  { value: "dark", Icon: Moon },
] as const;

export function Appearance({ settings, onChange }: { settings: Settings; onChange: WriteSettings }) {
  const { t } = useI18n();
  const spoken = usePreference(language);
  const single = usePreference(singleKeys) === "on";
  return (
    <Part title={t("settings.look.title")}>
      <Setting name={t("settings.look.theme")} note={t("settings.look.themeBody")}>
        <RadioGroup
          aria-label={t("settings.look.theme")}
          value={settings.theme}
          onValueChange={(theme) => void onChange({ ...settings, theme: theme as Theme })}
          className="flex rounded-md border border-line-strong"
        >
          {THEMES.map(({ value, Icon }) => (
            <Radio.Root
              key={value}
              value={value}
              aria-label={t(`theme.${value}`)}
              className={clsx(
                "focus-inset flex h-8 items-center gap-2 px-3 text-ui first:rounded-l-[7px] last:rounded-r-[7px]",
                settings.theme === value ? "bg-accent-wash text-ink" : "text-ink-2 hover:text-ink",
              )}
            >
              <Icon size={14} aria-hidden className={settings.theme === value ? "text-accent" : undefined} />
              {t(`theme.${value}`)}
            </Radio.Root>
          ))}
        </RadioGroup>
      </Setting>
      <Setting name={t("settings.look.language")} note={t("settings.look.languageBody")}>
        <Select
          label={t("settings.look.language")}
          value={spoken}
          onChange={language.set}
          options={language.values.map((value) => ({
            value,
            label: value === "system" ? t("language.system") : ENDONYMS[value],
          }))}
        />
      </Setting>
      <Setting name={t("shortcuts.single")} note={t("shortcuts.singleBody")}>
        <Switch
          label={t("shortcuts.single")}
          checked={single}
          onChange={(on) => singleKeys.set(on ? "on" : "off")}
        />
      </Setting>
    </Part>
  );
}
