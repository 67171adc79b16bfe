import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Choices } from "../../components/Choices";
import { Switch } from "../../components/Fields";
import { useSettled } from "../../components/hooks";
import { Part, Setting } from "../../components/Parts";
import { TIERS, TierIcon } from "../../components/Tier";
import { useI18n } from "../../i18n/i18n";
import type { DecayPreset, DecayRates, Scope, Settings } from "../../ipc/bindings.gen";
import { decayPreviewQuery } from "../../ipc/queries";
import { DASH } from "./dash";
import { HalfLife } from "./HalfLife";
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
      <Choices
        label={t("settings.decay.preset")}
        value={decay.preset}
        disabled={readOnly}
        onChange={choose}
        options={PRESETS.map((preset) => ({
          value: preset,
          label: t(`settings.decay.${preset}`),
          note: t(`settings.decay.${preset}Body`),
        }))}
        className="sm:grid-cols-3"
      />
      <Preview rates={decay.rates} custom={decay.preset === "custom" && !readOnly} onRate={setRate} />
      <Setting name={t("settings.decay.pause")} note={t("settings.decay.pauseBody")}>
        <Switch
          label={t("settings.decay.pause")}
          checked={decay.pauseWhileAway}
          disabled={readOnly}
          onChange={(pauseWhileAway) => set({ pauseWhileAway })}
        />
      </Setting>
      <Setting name={t("settings.decay.authors")} note={t("settings.decay.authorsBody")}>
        <Switch
          label={t("settings.decay.authors")}
          checked={decay.authorsFade ?? false}
          disabled={readOnly}
          onChange={(authorsFade) => set({ authorsFade })}
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
      <Suspense fallback={<div className="h-50" />}>
        {data ? <Curves tiers={data} /> : <div className="h-50" />}
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
