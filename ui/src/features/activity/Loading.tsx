import { useI18n } from "../../i18n/i18n";
import { rem } from "../../preferences/zoom";

const PLACEHOLDERS = [0, 1, 2, 3, 4, 5, 6];

/** `height`: of a row, in pixels of the design. */
export function Loading({ height }: { height: number }) {
  const { t } = useI18n();
  return (
    <div role="status" aria-label={t("state.loading")} className="min-h-0 flex-1 overflow-hidden">
      {PLACEHOLDERS.map((i) => (
        <div key={i} style={{ height: rem(height) }} className="space-y-2 border-b border-line px-4 py-3">
          <div className="skeleton h-4 w-4/5" />
          <div className="skeleton h-3 w-1/2" />
        </div>
      ))}
    </div>
  );
}
