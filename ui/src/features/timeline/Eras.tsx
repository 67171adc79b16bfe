import { Checkbox } from "../../components/Fields";
import { useI18n } from "../../i18n/i18n";
import type { Era } from "../../ipc/bindings.gen";
import { NameInput, NumberInput, Part, Remove } from "./CalendarFields";

export function Eras({ eras, onChange }: { eras: Era[]; onChange(eras: Era[]): void }) {
  const { t } = useI18n();
  const set = (at: number, part: Partial<Era>) =>
    onChange(eras.map((era, n) => (n === at ? { ...era, ...part } : era)));
  return (
    <Part
      title={t("calendar.eras")}
      note={eras.length === 0 ? t("calendar.erasNone") : undefined}
      add={t("calendar.addEra")}
      onAdd={() =>
        onChange([...eras, { name: "", short: null, anchor: 1, first_number: 1, counting: "forward" }])
      }
    >
      <ul className="space-y-2">
        {eras.map((era, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an era has no other identity than its place
          <li key={at} className="flex flex-wrap items-center gap-3">
            <NameInput
              label={t("calendar.eraName", { number: at + 1 })}
              value={era.name}
              onChange={(name) => set(at, { name })}
            />
            <span className="text-ui text-ink-2">{t("calendar.eraYear")}</span>
            <NumberInput
              label={t("calendar.eraFirst", { number: at + 1 })}
              value={era.first_number}
              onChange={(first_number) => set(at, { first_number })}
            />
            <span className="text-ui text-ink-2">{t("calendar.eraIs")}</span>
            <NumberInput
              label={t("calendar.eraAnchor", { number: at + 1 })}
              value={era.anchor}
              onChange={(anchor) => set(at, { anchor })}
            />
            <Checkbox
              checked={era.counting === "backward"}
              onChange={(backward) => set(at, { counting: backward ? "backward" : "forward" })}
            >
              {t("calendar.backward")}
            </Checkbox>
            <span className="flex-1" />
            <Remove
              name={era.name || String(at + 1)}
              onClick={() => onChange(eras.filter((_, n) => n !== at))}
            />
          </li>
        ))}
      </ul>
    </Part>
  );
}
