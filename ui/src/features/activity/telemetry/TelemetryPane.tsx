import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useRef } from "react";
import { type Action, useActions } from "../../../components/actions";
import { useFocusFallback } from "../../../components/hooks";
import { Segments } from "../../../components/Segments";
import { useI18n } from "../../../i18n/i18n";
import { memoryEnabledQuery } from "../../../ipc/queries";
import { TELEMETRY_PARTS, useView } from "../view";
import { ActionFilters } from "./actions/ActionFilters";
import { ActionsPart } from "./actions/ActionsPart";
import { KeepDays } from "./KeepDays";
import { MeasureControls } from "./measures/MeasureControls";
import { MeasuresPart } from "./measures/MeasuresPart";
import { PatternsPart } from "./patterns/PatternsPart";
import { SequenceSearch } from "./sequences/SequenceSearch";
import { SequencesPart } from "./sequences/SequencesPart";

/** What agents did with their tools, what recurs in it, and how that changes by day. */
export function TelemetryPane({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n();
  const { view, go } = useView();
  const part = view.part ?? "actions";
  const isOff = useQuery(memoryEnabledQuery).data === false;
  const region = useRef<HTMLElement>(null);
  useFocusFallback(region);
  useActions(
    useMemo(
      () =>
        TELEMETRY_PARTS.map(
          (it): Action => ({
            id: `telemetry.${it}`,
            group: "activity",
            label: t(`command.telemetry.${it}`),
            enabled: it !== part,
            run: () => go({ part: it }),
          }),
        ),
      [t, go, part],
    ),
  );
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={t("telemetry.region")}
      className="flex min-w-0 flex-1 flex-col outline-none"
    >
      <div className="flex min-h-11 shrink-0 items-center border-b border-line">
        <div className="flex w-full max-w-270 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5">
          <Segments
            label={t("telemetry.part")}
            value={part}
            onChange={(next) => go({ part: next })}
            options={TELEMETRY_PARTS.map((it) => ({ value: it, label: t(`telemetry.part.${it}`) }))}
          />
          <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
            {part === "actions" && <ActionFilters />}
            {part === "measures" && <MeasureControls readOnly={readOnly} />}
            {part === "sequences" && <SequenceSearch />}
          </div>
          <KeepDays readOnly={readOnly} />
        </div>
      </div>
      {isOff && (
        <p role="status" className="shrink-0 border-b border-line bg-warn-wash py-2 text-ui text-ink">
          <span className="flex max-w-270 flex-wrap gap-x-3 px-4">
            {t("telemetry.off")}
            <Link
              to="/settings"
              search={{ section: "memory" }}
              className="rounded-sm text-accent hover:underline"
            >
              {t("telemetry.offSettings")}
            </Link>
          </span>
        </p>
      )}
      {part === "actions" && <ActionsPart />}
      {part === "patterns" && <PatternsPart readOnly={readOnly} />}
      {part === "measures" && <MeasuresPart />}
      {part === "sequences" && <SequencesPart />}
    </section>
  );
}
