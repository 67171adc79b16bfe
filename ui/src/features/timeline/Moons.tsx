import { useI18n } from "../../i18n/i18n";
import type { Moon } from "../../ipc/bindings.gen";
import { NameInput, NumberInput, Part, Remove } from "./CalendarFields";
import { MICRODAYS } from "./definition";

export function Moons({ moons, onChange }: { moons: Moon[]; onChange(moons: Moon[]): void }) {
  const { t } = useI18n();
  const set = (at: number, part: Partial<Moon>) =>
    onChange(moons.map((moon, n) => (n === at ? { ...moon, ...part } : moon)));
  return (
    <Part
      title={t("calendar.moons")}
      add={t("calendar.addMoon")}
      onAdd={() => onChange([...moons, { name: "", cycle: 28 * MICRODAYS, shift: 0 }])}
    >
      <ul className="space-y-2">
        {moons.map((moon, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a moon has no other identity than its place
          <li key={at} className="flex flex-wrap items-center gap-3 text-ui text-ink-2">
            <NameInput
              label={t("calendar.moonName", { number: at + 1 })}
              value={moon.name}
              onChange={(name) => set(at, { name })}
            />
            <span>{t("calendar.moonCycle")}</span>
            <NumberInput
              label={t("calendar.moonCycleOf", { number: at + 1 })}
              value={moon.cycle / MICRODAYS}
              min={1}
              step="any"
              onChange={(days) => set(at, { cycle: Math.round(days * MICRODAYS) })}
            />
            <span>{t("calendar.moonNew")}</span>
            <NumberInput
              label={t("calendar.moonNewOf", { number: at + 1 })}
              value={moon.shift / MICRODAYS}
              step="any"
              onChange={(days) => set(at, { shift: Math.round(days * MICRODAYS) })}
            />
            <span className="flex-1" />
            <Remove
              name={moon.name || String(at + 1)}
              onClick={() => onChange(moons.filter((_, n) => n !== at))}
            />
          </li>
        ))}
      </ul>
    </Part>
  );
}
