import { useMemo } from "react";
import { type Action, useActions } from "../../components/actions";
import { useToasts } from "../../components/toast";
import { useI18n } from "../../i18n/i18n";
import type { ModelView } from "../../ipc/bindings.gen";
import { announce } from "../../ipc/changes";
import { core } from "../../ipc/client";

/** What the model section adds to the command palette. */
export function useModelActions(models: ModelView[] | undefined, readOnly: boolean): void {
  const { t } = useI18n();
  const { failed } = useToasts();
  useActions(
    useMemo((): Action[] => {
      const run = (work: Promise<unknown>) => void work.then(() => announce("models"), failed);
      const ready = (models ?? []).filter((model) => model.installed && !model.active);
      return [
        {
          id: "settings.embedNow",
          group: "settings",
          label: t("command.embedNow"),
          enabled: !readOnly,
          run: () => run(core.embedNow()),
        },
        ...ready.map(
          (model): Action => ({
            id: `settings.model.${model.id}`,
            group: "settings",
            label: t("command.useModel", { name: model.name }),
            enabled: !readOnly,
            run: () => run(core.activateModel(model.id)),
          }),
        ),
      ];
    }, [t, models, readOnly, failed]),
  );
}
