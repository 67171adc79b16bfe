import { ChevronDown } from "lucide-react";
import { useI18n } from "../../i18n/i18n";
import type { LensSpec } from "../../ipc/bindings.gen";
import { LensPopup } from "../lens/LensPopup";
import { useLens } from "../lens/useLens";
import { useLensText } from "../lens/useLensText";

type LensButtonProps = { label: string; lens: LensSpec | null; onLens(lens: LensSpec | null): void };

/** Whose knowledge a test is asked with, as a field of a dialog. */
export function LensButton({ label, lens, onLens }: LensButtonProps) {
  const { t } = useI18n();
  const { short } = useLensText();
  const { view } = useLens(lens);
  const face = lens === null ? t("lens.anybody") : view === null ? "…" : short(view);
  return (
    <LensPopup
      over
      title={t("lens.showTitle")}
      body={t("lens.showBody")}
      apply={t("recall.lensSet")}
      lens={view}
      onSet={(spec) => onLens(spec.knower === null && spec.at === null ? null : spec)}
      trigger={
        <button
          type="button"
          aria-label={`${label}: ${face}`}
          className="flex h-8 w-full min-w-0 items-center gap-2 rounded-md border border-line-strong bg-paper px-3 text-left text-ui text-ink"
        >
          <span className="min-w-0 flex-1 truncate">{face}</span>
          <ChevronDown size={14} className="shrink-0 text-ink-3" aria-hidden />
        </button>
      }
    />
  );
}
