import { useI18n } from "../../i18n/i18n";

const PLACEHOLDERS = [0, 1, 2, 3];

export function Loading() {
  const { t } = useI18n();
  return (
    <div role="status" aria-label={t("state.loading")} className="space-y-4">
      <div className="skeleton h-5 w-1/3" />
      {PLACEHOLDERS.map((i) => (
        <div key={i} className="skeleton h-12 w-full" />
      ))}
    </div>
  );
}
