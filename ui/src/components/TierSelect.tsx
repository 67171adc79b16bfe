import { useI18n } from "../i18n/i18n";
import type { Scope } from "../ipc/bindings.gen";
import { Select } from "./Select";
import { TierIcon } from "./Tier";

type TierSelectProps<T extends Scope> = { tiers: readonly T[]; value: T; onChange(tier: T): void };

export function TierSelect<T extends Scope>({ tiers, value, onChange }: TierSelectProps<T>) {
  const { t } = useI18n();
  return (
    <Select
      label={t("tier.label")}
      value={value}
      onChange={onChange}
      options={tiers.map((scope) => ({
        value: scope,
        label: t(`tier.${scope}`),
        icon: <TierIcon scope={scope} />,
      }))}
    />
  );
}
