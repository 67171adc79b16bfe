import { Minus, Plus } from "lucide-react";
import { Button, IconButton } from "../../components/Button";
import { Setting } from "../../components/Parts";
import { useI18n } from "../../i18n/i18n";
import { usePreference } from "../../preferences/preference";
import { zoom } from "../../preferences/preferences";
import { nextZoom, useZoomFactor, zoomBy } from "../../preferences/zoom";

export function ZoomSetting() {
  const { t, number } = useI18n();
  const current = usePreference(zoom);
  const percent = (factor: number) => number(factor, { style: "percent" });
  const shown = percent(useZoomFactor());
  return (
    <Setting name={t("settings.look.zoom")} note={t("settings.look.zoomBody")}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that is shown */}
      <div role="group" aria-label={t("settings.look.zoom")} className="flex items-center gap-1">
        {current !== "100" && (
          <Button look="ghost" onClick={() => zoom.set("100")}>
            {t("settings.look.zoomReset", { percent: percent(1) })}
          </Button>
        )}
        <IconButton
          label={t("settings.look.zoomOut")}
          shortcut="view.zoomOut"
          disabled={nextZoom(current, -1) === undefined}
          onClick={() => zoomBy(-1)}
        >
          <Minus size={16} aria-hidden />
        </IconButton>
        <output className="tabular min-w-14 text-center text-ui text-ink">{shown}</output>
        <IconButton
          label={t("settings.look.zoomIn")}
          shortcut="view.zoomIn"
          disabled={nextZoom(current, 1) === undefined}
          onClick={() => zoomBy(1)}
        >
          <Plus size={16} aria-hidden />
        </IconButton>
      </div>
    </Setting>
  );
}
