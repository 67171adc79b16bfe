import { ChipButton, LensChip } from "../../../../components/lens/LensChip";
import { LensPopup } from "../../../../components/lens/LensPopup";
import { useLens } from "../../../../components/lens/useLens";
import { useLensText } from "../../../../components/lens/useLensText";
import { useSomebody } from "../../../../components/lens/useSomebody";
import { useI18n } from "../../../../i18n/i18n";
import type { LensSpec, LensView } from "../../../../ipc/bindings.gen";

type TryAsProps = {
  /** That of the conversation. */
  lens: LensView | null;
  /** The one that is tried in its place. */
  other: LensSpec | null;
  onOther(other: LensSpec | null): void;
};

/** Whose knowledge a question is tried with: that of the conversation, or another one. */
export function TryAs({ lens, other, onOther }: TryAsProps) {
  const { t } = useI18n();
  const { short } = useLensText();
  const tried = useLens(other).view;
  const view = other === null ? lens : tried;
  const somebody = useSomebody();
  if (!somebody && view === null) return null;
  return (
    <div className="mt-2 flex min-w-0">
      <LensChip
        on={view !== null}
        clear={t(lens === null ? "lens.clear" : "lens.tryClear")}
        onClear={other === null ? undefined : () => onOther(null)}
      >
        <LensPopup
          title={t("lens.showTitle")}
          body={t("lens.showBody")}
          apply={t("lens.tryDo")}
          lens={view}
          // Nobody and no time: the core takes the lens of the conversation.
          onSet={(spec) => onOther(spec.knower === null && spec.at === null ? null : spec)}
          trigger={
            <ChipButton on={view !== null}>{view === null ? t("lens.showAs") : short(view)}</ChipButton>
          }
        />
      </LensChip>
    </div>
  );
}
