import { Plus } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { type Action, useActions } from "../../../../components/actions";
import { Button } from "../../../../components/Button";
import { Segments } from "../../../../components/Segments";
import { Select } from "../../../../components/Select";
import { useI18n } from "../../../../i18n/i18n";
import { DAYS, useView } from "../../view";
import { DefineMeasure } from "./DefineMeasure";

const LOOKS = ["plots", "numbers"] as const;

/** How far back, as plots or as numbers, and a way to define another measure. */
export function MeasureControls({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n();
  const { view, go } = useView();
  const [isDefining, setDefining] = useState(false);
  const begin = useCallback(() => setDefining(true), []);
  useActions(
    useMemo(
      (): Action[] => [
        {
          id: "telemetry.define",
          group: "activity",
          label: t("command.defineMeasure"),
          enabled: !readOnly,
          run: begin,
        },
      ],
      [t, readOnly, begin],
    ),
  );
  return (
    <>
      <Select
        ghost
        label={t("telemetry.measure.days")}
        value={String(view.days ?? 30)}
        onChange={(next) => go({ days: DAYS.find((it) => String(it) === next) }, { replace: true })}
        options={DAYS.map((it) => ({
          value: String(it),
          label: t("telemetry.measure.lastDays", { days: it }),
        }))}
      />
      <Segments
        label={t("telemetry.measure.look")}
        value={view.numbers ? "numbers" : "plots"}
        onChange={(next) => go({ numbers: next === "numbers" ? true : undefined }, { replace: true })}
        options={LOOKS.map((it) => ({ value: it, label: t(`telemetry.measure.${it}`) }))}
      />
      <span className="flex-1" />
      <Button disabled={readOnly} onClick={begin}>
        <Plus size={14} aria-hidden />
        {t("telemetry.measure.define")}
      </Button>
      {isDefining && <DefineMeasure onClose={() => setDefining(false)} />}
    </>
  );
}
