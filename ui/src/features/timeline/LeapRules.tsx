import { Button } from "../../components/Button";
import { Select } from "../../components/Select";
import { useI18n } from "../../i18n/i18n";
import type { CalendarDefinition, LeapRule } from "../../ipc/bindings.gen";
import { NumberInput, Part, Remove } from "./CalendarFields";

type LeapProps = { definition: CalendarDefinition; onChange(rules: LeapRule[]): void };

export function LeapRules({ definition: { leap_rules: rules, months }, onChange }: LeapProps) {
  const { t } = useI18n();
  const set = (at: number, part: Partial<LeapRule>) =>
    onChange(rules.map((rule, n) => (n === at ? { ...rule, ...part } : rule)));
  return (
    <Part
      title={t("calendar.leap")}
      note={rules.length === 0 ? t("calendar.leapNone") : undefined}
      add={t("calendar.addLeap")}
      onAdd={() =>
        onChange([
          ...rules,
          { month: months.length - 1, days: 1, intervals: [{ every: 4, offset: 0, leap: true }] },
        ])
      }
    >
      <ul className="space-y-4">
        {rules.map((rule, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no other identity than its place
          <li key={at} className="space-y-2">
            <div className="flex flex-wrap items-center gap-3 text-ui text-ink-2">
              <NumberInput
                label={t("calendar.leapDays", { number: at + 1 })}
                value={rule.days}
                min={1}
                onChange={(days) => set(at, { days })}
              />
              <span>{t("calendar.leapIn")}</span>
              <Select
                label={t("calendar.leapMonth", { number: at + 1 })}
                value={String(rule.month)}
                onChange={(month) => set(at, { month: Number(month) })}
                options={months.map((month, n) => ({
                  value: String(n),
                  label: month.name || String(n + 1),
                }))}
              />
              <span className="flex-1" />
              <Remove
                name={t("calendar.leapRule", { number: at + 1 })}
                onClick={() => onChange(rules.filter((_, n) => n !== at))}
              />
            </div>
            <ul className="space-y-2 pl-6">
              {rule.intervals.map((years, n) => {
                const setYears = (part: Partial<typeof years>) =>
                  set(at, {
                    intervals: rule.intervals.map((own, i) => (i === n ? { ...own, ...part } : own)),
                  });
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the later interval decides, so it is its place
                  <li key={n} className="flex flex-wrap items-center gap-3 text-ui text-ink-2">
                    <Select
                      ghost
                      label={t("calendar.leapKind")}
                      value={years.leap ? "leap" : "except"}
                      onChange={(value) => setYears({ leap: value === "leap" })}
                      options={[
                        { value: "leap", label: t("calendar.leapEvery") },
                        { value: "except", label: t("calendar.leapExcept") },
                      ]}
                    />
                    <NumberInput
                      label={t("calendar.leapYears")}
                      value={years.every}
                      min={1}
                      onChange={(every) => setYears({ every })}
                    />
                    <span>{t("calendar.leapFrom")}</span>
                    <NumberInput
                      label={t("calendar.leapOffset")}
                      value={years.offset}
                      onChange={(offset) => setYears({ offset })}
                    />
                    <span className="flex-1" />
                    <Remove
                      name={t("calendar.leapYearsOf", { number: years.every })}
                      disabled={rule.intervals.length === 1}
                      onClick={() => set(at, { intervals: rule.intervals.filter((_, i) => i !== n) })}
                    />
                  </li>
                );
              })}
              <li>
                <Button
                  look="ghost"
                  className="-ml-3"
                  onClick={() =>
                    set(at, { intervals: [...rule.intervals, { every: 100, offset: 0, leap: false }] })
                  }
                >
                  {t("calendar.addYears")}
                </Button>
              </li>
            </ul>
          </li>
        ))}
      </ul>
    </Part>
  );
}
