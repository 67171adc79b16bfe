import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { lazy, Suspense } from "react";
import { Switch } from "../../components/Fields";
import { useSettled } from "../../components/hooks";
import { TIERS, TierIcon } from "../../components/Tier";
import { useI18n } from "../../i18n/i18n";
import type { DecayPreset, DecayRates, Scope, Settings } from "../../ipc/bindings.gen";
import { decayPreviewQuery } from "../../ipc/queries";
import { DASH } from "./dash";
import { HalfLife } from "./HalfLife";
import { Part, Setting } from "./Parts";
import { PRESET_RATES, type WriteSettings } from "./useSettings";

const Curves = lazy(() => import("./Curves"));
const PRESETS: readonly DecayPreset[] = ["steady", "brisk", "custom"];

type DecayProps = { settings: Settings; readOnly: boolean; onChange: WriteSettings };

export function DecaySection({ settings, readOnly, onChange }: DecayProps) {
  const { t } = useI18n();
  const { decay } = settings;
  const set = (patch: Partial<Settings["decay"]>) =>
    void onChange({ ...settings, decay: { ...decay, ...patch } });
  const choose = (preset: DecayPreset) =>
    set({ preset, rates: preset === "custom" ? decay.rates : PRESET_RATES[preset] });
  const setRate = (scope: Scope, rate: number | null) =>
    set({ preset: "custom", rates: { ...decay.rates, [scope]: rate } });

  return (
    <Part title={t("settings.decay.title")} body={t("settings.decay.body")}>
      <RadioGroup
        aria-label={t("settings.decay.preset")}
        value={decay.preset}
        disabled={readOnly}
        onValueChange={(preset) => choose(preset as DecayPreset)}
        className="grid gap-px overflow-hidden rounded-md border border-line bg-line sm:grid-cols-3"
      >
        {PRESETS.map((preset) => (
          <Radio.Root
            key={preset}
            value={preset}
            aria-label={t(`settings.decay.${preset}`)}
            className={clsx(
              "focus-inset flex gap-3 p-4 text-left",
              decay.preset === preset ? "bg-accent-wash" : "bg-paper hover:bg-raised",
            )}
          >
            <span
              className={clsx(
                "mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full border",
                decay.preset === preset ? "border-accent" : "border-line-strong",
              )}
            >
              <Radio.Indicator className="size-2 rounded-full bg-accent" />
            </span>
            <span>
              <span className="block text-ui text-ink">{t(`settings.decay.${preset}`)}</span>
              <span className="block text-meta text-pretty text-ink-2">
                {t(`settings.decay.${preset}Body`)}
              </span>
            </span>
          </Radio.Root>
        ))}
      </RadioGroup>
      <Preview rates={decay.rates} custom={decay.preset === "custom" && !readOnly} onRate={setRate} />
      <Setting name={t("settings.decay.pause")} note={t("settings.decay.pauseBody")}>
        <Switch
          label={t("settings.decay.pause")}
          checked={decay.pauseWhileAway}
          disabled={readOnly}
          onChange={(pauseWhileAway) => set({ pauseWhileAway })}
        />
      </Setting>
    </Part>
  );
}

/** The line of a tier as the chart draws it. */
function LineKey({ scope }: { scope: Scope }) {
  return (
    <svg width="32" height="8" aria-hidden="true" className="ml-1">
      <line
        x1="0"
        y1="4"
        x2="32"
        y2="4"
        strokeWidth="2"
        stroke={`var(--tier-${scope})`}
        strokeDasharray={DASH[scope].join(" ")}
      />
    </svg>
  );
}

type PreviewProps = { rates: DecayRates; custom: boolean; onRate(scope: Scope, rate: number | null): void };

/** The curves, and the same in numbers: picture and table say one thing twice. */
function Preview({ rates, custom, onRate }: PreviewProps) {
  const { t, number } = useI18n();
  const { data } = useQuery(decayPreviewQuery(useSettled(rates, 80)));
  return (
    <div className="my-6">
      <Suspense fallback={<div className="h-[200px]" />}>
        {data ? <Curves tiers={data} /> : <div className="h-[200px]" />}
      </Suspense>
      <table className="tabular mt-4 w-full text-ui">
        <caption className="sr-only">{t("settings.decay.table")}</caption>
        <tbody>
          {TIERS.map((scope) => {
            const curve = data?.find((it) => it.scope === scope);
            return (
              <tr key={scope} className="h-11 border-b border-line">
                <th scope="row" className="text-left font-normal text-ink">
                  <span className="flex items-center gap-2">
                    <TierIcon scope={scope} />
                    {t(`tier.${scope}`)}
                    <LineKey scope={scope} />
                  </span>
                </th>
                <td className="py-1">
                  <HalfLife
                    scope={scope}
                    rate={rates[scope]}
                    editable={custom}
                    onRate={(rate) => onRate(scope, rate)}
                  />
                </td>
                <td className="text-right text-ink-2">
                  {curve &&
                    t("settings.decay.week", {
                      percent: number(curve.retention7d, { style: "percent", maximumFractionDigits: 0 }),
                    })}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
