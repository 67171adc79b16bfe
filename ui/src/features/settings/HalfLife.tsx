import { useEffect, useState } from "react";
import { Checkbox, INPUT } from "../../components/Fields";
import { useI18n } from "../../i18n/i18n";
import type { Scope } from "../../ipc/bindings.gen";

/** Days until half is left, of a rate per hour. */
export function daysOf(rate: number): number {
  return Math.log(0.5) / Math.log(rate) / 24;
}

export function rateOf(days: number): number {
  return 0.5 ** (1 / (days * 24));
}

const MIN_DAYS = 1 / 24;
const MAX_DAYS = 50 * 365;

type HalfLifeProps = {
  scope: Scope;
  rate: number | null;
  editable: boolean;
  onRate(rate: number | null): void;
};

/** People think in "half is gone after ten days", the formula in a rate per hour: this is the bridge. */
export function HalfLife({ scope, rate, editable, onRate }: HalfLifeProps) {
  const { t, number } = useI18n();
  const shown = rate === null ? "" : String(Number(daysOf(rate).toPrecision(3)));
  const [text, setText] = useState(shown);
  const [wrong, setWrong] = useState(false);
  useEffect(() => {
    setText(shown);
    setWrong(false);
  }, [shown]);

  if (!editable) {
    if (rate === null) return <span className="text-ink-2">{t("settings.decay.none")}</span>;
    const days = daysOf(rate);
    const words =
      days < 2
        ? t("settings.decay.halfLifeHours", { hours: Math.round(days * 24) })
        : t("settings.decay.halfLife", { days: Math.round(days) });
    return (
      <span
        className="text-ink"
        title={t("settings.decay.rate", { rate: number(rate, { maximumFractionDigits: 5 }) })}
      >
        {words}
      </span>
    );
  }

  const commit = () => {
    if (text === shown) return;
    const days = Number(text.replace(",", "."));
    const fits = Number.isFinite(days) && days >= MIN_DAYS && days <= MAX_DAYS;
    setWrong(!fits);
    if (fits) onRate(rateOf(days));
  };
  const id = `half-${scope}`;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className="text-ink-2">{t("settings.decay.half")}</span>
      <input
        id={id}
        inputMode="decimal"
        aria-label={t("settings.decay.halfLabel", { tier: t(`tier.${scope}`) })}
        aria-invalid={wrong || undefined}
        aria-describedby={wrong ? `${id}-error` : undefined}
        value={text}
        placeholder="–"
        disabled={rate === null}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => event.key === "Enter" && commit()}
        className={`${INPUT} w-20! text-right`}
      />
      <span className="text-ink-2">{t("settings.decay.days")}</span>
      <span className="ml-3">
        <Checkbox checked={rate === null} onChange={(never) => onRate(never ? null : rateOf(30))}>
          <span className="sr-only">{t(`tier.${scope}`)}: </span>
          {t("settings.decay.none")}
        </Checkbox>
      </span>
      {wrong && (
        <span id={`${id}-error`} role="alert" className="w-full text-meta text-danger">
          {t("settings.decay.invalid")}
        </span>
      )}
    </span>
  );
}
