import { Eye } from "lucide-react";
import { useI18n } from "../../i18n/i18n";
import type { LensSpec } from "../../ipc/bindings.gen";
import { Button } from "../Button";
import { LensPopup } from "./LensPopup";
import { useLens } from "./useLens";
import { useSomebody } from "./useSomebody";

type ShowAsProps = { lens: LensSpec | null; onLens(lens: LensSpec): void };

/** Asks whose knowledge the page shows. A world without subjects has nobody to ask for. */
export function ShowAs({ lens, onLens }: ShowAsProps) {
  const { t } = useI18n();
  const { view } = useLens(lens);
  const somebody = useSomebody();
  if (!somebody && lens === null) return null;
  return (
    <LensPopup
      title={t("lens.showTitle")}
      body={t("lens.showBody")}
      apply={t("lens.show")}
      lens={view}
      onSet={onLens}
      trigger={
        <Button look="ghost" className="px-2!">
          <Eye size={16} strokeWidth={1.75} aria-hidden />
          {t("lens.showAs")}
        </Button>
      }
    />
  );
}
