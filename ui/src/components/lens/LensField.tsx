import { useI18n } from "../../i18n/i18n";
import type { LensSpec, LensView } from "../../ipc/bindings.gen";
import { ChipButton, LensChip } from "./LensChip";
import { LensPopup } from "./LensPopup";
import { useLens } from "./useLens";
import { useLensText } from "./useLensText";
import { useSomebody } from "./useSomebody";

type LensFieldProps = {
  /** The one in force as long as no other is chosen. */
  lens: LensView | null;
  /** The one that is chosen in its place. */
  other: LensSpec | null;
  onOther(other: LensSpec | null): void;
  /** The words for no lens. */
  none: string;
  /** The word on the button of its form. */
  apply: string;
  /** It stands in a dialog. */
  over?: boolean;
};

/** Whose knowledge a question is asked with. */
export function LensField({ lens, other, onOther, none, apply, over }: LensFieldProps) {
  const { t } = useI18n();
  const { short } = useLensText();
  const chosen = useLens(other).view;
  const view = other === null ? lens : chosen;
  const somebody = useSomebody();
  if (!somebody && view === null) return null;
  return (
    <div className="flex min-w-0">
      <LensChip
        on={view !== null}
        clear={t(lens === null ? "lens.clear" : "lens.tryClear")}
        onClear={other === null ? undefined : () => onOther(null)}
      >
        <LensPopup
          over={over}
          start={over}
          title={t("lens.showTitle")}
          body={t("lens.showBody")}
          apply={apply}
          lens={view}
          // Nobody and no time: the one in force.
          onSet={(spec) => onOther(spec.knower === null && spec.at === null ? null : spec)}
          trigger={<ChipButton on={view !== null}>{view === null ? none : short(view)}</ChipButton>}
        />
      </LensChip>
    </div>
  );
}
