import { useI18n } from "../../i18n/i18n";
import type { LensSpec } from "../../ipc/bindings.gen";
import { ChipFace, LensChip } from "./LensChip";
import { useLens } from "./useLens";
import { useLensText } from "./useLensText";

type ShownLensProps = { lens: LensSpec; onClear(): void };

/** Whose knowledge the page shows, as it is read; as it is in the address if it cannot be read. */
export function ShownLens({ lens, onClear }: ShownLensProps) {
  const { t } = useI18n();
  const { short } = useLensText();
  const { view, problem } = useLens(lens);
  const asWritten = { knowerId: null, knower: lens.knower, at: lens.at, chapterId: null };
  const face = view ?? (problem === null ? null : asWritten);
  return (
    <LensChip clear={t("lens.clear")} onClear={onClear}>
      <span className="inline-flex min-w-0 items-center gap-1.5 pl-2 text-meta text-ink">
        <ChipFace>{face === null ? "…" : short(face)}</ChipFace>
      </span>
    </LensChip>
  );
}
