import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Problem } from "../../../../components/Fields";
import { FormDialog } from "../../../../components/FormDialog";
import { Select } from "../../../../components/Select";
import { useToasts } from "../../../../components/toast";
import { useSubmit } from "../../../../components/useSubmit";
import { useI18n } from "../../../../i18n/i18n";
import type { MetricRequest } from "../../../../ipc/bindings.gen";
import { core } from "../../../../ipc/client";
import { keys } from "../../../../ipc/keys";
import { OUTCOMES } from "../../view";
import { ACTIONS, actionWords, ERRORS, MEASURES, TARGETS } from "../words";

const ANY = "any";
const EMPTY: MetricRequest = { measure: "count", action: null, target: null, outcome: null, error: null };

/** Asks for a measure: which actions, and what is measured of them. */
export function DefineMeasure({ onClose }: { onClose(): void }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const { notify } = useToasts();
  const [request, setRequest] = useState(EMPTY);
  const define = async () => {
    await core.defineAgentMetric(request);
    void client.invalidateQueries({ queryKey: keys.agentTelemetry });
    notify(t("telemetry.measure.done"));
  };
  const form = useSubmit(define, { onDone: onClose });
  const set = (patch: Partial<MetricRequest>) => {
    setRequest({ ...request, ...patch });
    form.setProblem(null);
  };
  /** A part that may be left open. */
  const part = <K extends "action" | "target" | "outcome" | "error">(
    key: K,
    label: string,
    any: string,
    words: readonly NonNullable<MetricRequest[K]>[],
    nameOf: (word: NonNullable<MetricRequest[K]>) => string,
  ) => (
    <Field label={label}>
      <Select<string>
        wide
        label={label}
        value={request[key] ?? ANY}
        onChange={(next) => set({ [key]: next === ANY ? null : next })}
        options={[{ value: ANY, label: any }, ...words.map((word) => ({ value: word, label: nameOf(word) }))]}
      />
    </Field>
  );
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("telemetry.measure.defineTitle")}
      body={t("telemetry.measure.defineBody")}
      submit={t("telemetry.measure.do")}
    >
      <div className="space-y-3">
        <Field label={t("telemetry.measure.measure")}>
          <Select
            wide
            label={t("telemetry.measure.measure")}
            value={request.measure}
            onChange={(measure) => set({ measure })}
            options={MEASURES.map((it) => ({ value: it, label: t(`telemetry.measure.measure.${it}`) }))}
          />
        </Field>
        {part("action", t("telemetry.measure.action"), t("telemetry.measure.anyAction"), ACTIONS, (it) =>
          actionWords(it, t),
        )}
        {part("target", t("telemetry.measure.target"), t("telemetry.measure.anyTarget"), TARGETS, (it) =>
          t(`telemetry.target.${it}`),
        )}
        {part("outcome", t("telemetry.outcome"), t("telemetry.outcome.all"), OUTCOMES, (it) =>
          t(`telemetry.outcome.${it}`),
        )}
        {part("error", t("telemetry.measure.error"), t("telemetry.measure.anyError"), ERRORS, (it) =>
          t(`telemetry.error.${it}`),
        )}
        <Problem>{form.problem}</Problem>
      </div>
    </FormDialog>
  );
}

/** The name of a choice above it; the choice has the same name for those who do not see it. */
function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <p className="mb-1 text-meta text-ink-2" aria-hidden>
        {label}
      </p>
      {children}
    </div>
  );
}
