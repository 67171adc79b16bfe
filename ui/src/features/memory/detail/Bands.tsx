import { RotateCcw } from "lucide-react";
import { Button } from "../../../components/Button";
import { useI18n } from "../../../i18n/i18n";
import type { MemoryDetail } from "../../../ipc/bindings.gen";

type BandsProps = {
  detail: MemoryDetail;
  readOnly: boolean;
  onRestore(): void;
  onOpen(id: string): void;
};

/** What must be known before the text is read: it was forgotten. */
export function Bands({ detail, readOnly, onRestore, onOpen }: BandsProps) {
  const { t, relative } = useI18n();
  const { forgotten, consolidatedInto } = detail;
  const reasonOf = ({ reason, note }: NonNullable<typeof forgotten>) => {
    if (note === null) return t(`memory.reason.${reason}`);
    return reason === "moved" ? t("memory.movedTo", { world: note }) : note;
  };
  // What it became is in the other world then, and cannot be opened in this one.
  const isElsewhere = forgotten?.reason === "moved" && forgotten.note !== null;
  return (
    <>
      {forgotten && (
        <div className="fc-border mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md bg-sunken px-4 py-3 text-ui">
          <p className="min-w-0 flex-1 text-ink">
            {t("memory.forgottenBand", { when: relative(forgotten.at) })}
            {forgotten.runId && ` ${t("memory.forgottenRun")}`}
            <span className="block text-ink-2">
              {t("memory.forgottenReason", { reason: reasonOf(forgotten) })}
            </span>
            {consolidatedInto && !isElsewhere && (
              <span className="block text-ink-2">
                {t("memory.consolidated")}{" "}
                <button
                  type="button"
                  className="min-h-6 text-accent hover:underline"
                  onClick={() => onOpen(consolidatedInto)}
                >
                  {t("memory.openConsolidated")}
                </button>
              </span>
            )}
          </p>
          <Button disabled={readOnly} onClick={onRestore}>
            <RotateCcw size={14} aria-hidden />
            {t("memory.restore")}
          </Button>
        </div>
      )}
    </>
  );
}
