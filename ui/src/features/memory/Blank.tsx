import { memo } from "react";
import { Button } from "../../components/Button";
import { Keys } from "../../components/Keys";
import { Empty } from "../../components/States";
import { useStrokesFor } from "../../components/shortcuts/chosen";
import { useI18n } from "../../i18n/i18n";
import { Beginnings } from "./Beginnings";

/** A world of which nothing is remembered yet. */
export function FirstMemory({ readOnly, onNew }: { readOnly: boolean; onNew(): void }) {
  const { t } = useI18n();
  return (
    <div className="mt-[12vh]">
      <Empty title={t("empty.workspace.title")} body={t("empty.workspace.body")}>
        <Button look="primary" disabled={readOnly} onClick={onNew}>
          {t("memory.new")}
        </Button>
      </Empty>
      <div className="mx-auto max-w-[27.5rem] px-6 pb-16">
        <Beginnings sample />
      </div>
    </div>
  );
}

/** Beside a list of which nothing is open. */
export const NothingOpen = memo(function NothingOpen() {
  const { t } = useI18n();
  const strokesFor = useStrokesFor();
  const hints = [
    [["up", "down"], "empty.detail.move"],
    [["enter"], "empty.detail.open"],
    [strokesFor("memory.search").slice(0, 1), "empty.detail.search"],
  ] as const;
  return (
    <div className="flex min-w-0 flex-1 items-center justify-center">
      <div>
        <Empty title={t("empty.detail.title")} body={t("empty.detail.body")}>
          <p className="flex gap-4 text-meta text-ink-2">
            {hints
              .filter(([strokes]) => strokes.length > 0)
              .map(([strokes, label]) => (
                <span key={label} className="inline-flex items-center gap-2">
                  <span className="inline-flex gap-1">
                    {strokes.map((stroke) => (
                      <Keys key={stroke} keys={stroke} />
                    ))}
                  </span>
                  {t(label)}
                </span>
              ))}
          </p>
        </Empty>
      </div>
    </div>
  );
});
