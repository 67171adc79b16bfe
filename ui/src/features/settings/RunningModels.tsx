import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/Button";
import { Select } from "../../components/Select";
import { useI18n } from "../../i18n/i18n";
import type { ChatEndpoint, RunningModels as Running } from "../../ipc/bindings.gen";
import { runningModelsQuery } from "../../ipc/queries";

type Connect = (endpoint: Pick<ChatEndpoint, "provider" | "baseUrl" | "model">) => Promise<void>;

/** Programs on this computer that run models, each connected with one press. */
export function RunningModels({ readOnly, onConnect }: { readOnly: boolean; onConnect: Connect }) {
  const { data = [] } = useQuery(runningModelsQuery);
  return data.map((running) => (
    <Program key={running.preset.id} running={running} readOnly={readOnly} onConnect={onConnect} />
  ));
}

type ProgramProps = { running: Running; readOnly: boolean; onConnect: Connect };

function Program({ running: { preset, models }, readOnly, onConnect }: ProgramProps) {
  const { t } = useI18n();
  const [model, setModel] = useState(models[0] ?? "");
  const { provider, baseUrl, name } = preset;
  return (
    <section
      aria-label={name}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md bg-accent-wash px-4 py-3"
    >
      <p className="min-w-48 flex-1 text-ui text-ink">
        {t("settings.chat.running", { name, count: models.length })}
      </p>
      <Select
        label={t("settings.chat.runningModels", { name })}
        value={model}
        disabled={readOnly}
        onChange={setModel}
        options={models.map((it) => ({ value: it, label: it }))}
      />
      <Button look="primary" disabled={readOnly} onClick={() => void onConnect({ provider, baseUrl, model })}>
        {t("settings.chat.connect")}
      </Button>
    </section>
  );
}
