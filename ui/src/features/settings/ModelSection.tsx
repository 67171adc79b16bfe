import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/Button";
import { Switch } from "../../components/Fields";
import { Part, Setting } from "../../components/Parts";
import { Progress } from "../../components/Progress";
import { Failed } from "../../components/States";
import { useToasts } from "../../components/toast";
import { useI18n } from "../../i18n/i18n";
import type { ModelStatus } from "../../ipc/bindings.gen";
import { announce } from "../../ipc/changes";
import { core } from "../../ipc/client";
import { modelStatusQuery, modelsQuery } from "../../ipc/queries";
import { FolderDialog } from "./FolderDialog";
import { ModelRow } from "./ModelRow";
import { useModelActions } from "./useModelActions";
import { useDownload, useEmbedding } from "./useProgress";

export function ModelSection({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n();
  const models = useQuery(modelsQuery);
  const status = useQuery(modelStatusQuery).data;
  const download = useDownload(models.data);
  const [folder, setFolder] = useState(false);
  useModelActions(models.data, readOnly);
  return (
    <Part title={t("settings.model.title")} body={t("settings.model.body")}>
      {status && <Coverage status={status} readOnly={readOnly} />}
      {models.error && !models.data && <Failed error={models.error} onRetry={() => void models.refetch()} />}
      <ul aria-label={t("settings.model.list")} className="mt-4 border-t border-line">
        {models.data?.map((model) => (
          <ModelRow key={model.id} model={model} download={download} readOnly={readOnly} />
        ))}
      </ul>
      <Button className="mt-4 mb-2" disabled={readOnly} onClick={() => setFolder(true)}>
        {t("settings.model.folder")}
      </Button>
      {status && <OwnModel own={status.own} readOnly={readOnly} />}
      {folder && <FolderDialog onClose={() => setFolder(false)} />}
    </Part>
  );
}

/** Whether the model that is chosen here is that of this world alone. */
function OwnModel({ own, readOnly }: { own: boolean; readOnly: boolean }) {
  const { t } = useI18n();
  const { failed } = useToasts();
  const [busy, setBusy] = useState(false);
  const change = async (wanted: boolean) => {
    setBusy(true);
    try {
      await core.setOwnModel(wanted);
    } catch (error) {
      failed(error);
    }
    setBusy(false);
  };
  return (
    <Setting name={t("settings.model.own")} note={t("settings.model.ownBody")}>
      <Switch
        label={t("settings.model.own")}
        checked={own}
        disabled={readOnly || busy}
        onChange={(wanted) => void change(wanted)}
      />
    </Setting>
  );
}

/** How far finding by meaning has come, or what its absence means. */
function Coverage({ status, readOnly }: { status: ModelStatus; readOnly: boolean }) {
  const { t } = useI18n();
  const { failed } = useToasts();
  const live = useEmbedding();
  const total = live?.total ?? status.embedded + status.pending;
  const done = live?.done ?? status.embedded;
  const catchUp = async () => {
    try {
      await core.embedNow();
      announce("models");
    } catch (error) {
      failed(error);
    }
  };
  const withoutModel = status.state !== "ready" && status.state !== "loading";
  return (
    <div className="rounded-md bg-sunken px-4 py-3">
      <p className="text-ui text-ink">
        {t(`settings.model.state.${status.state}`)}
        {status.message && <span className="text-ink-2"> · {status.message}</span>}
      </p>
      {withoutModel ? (
        <p className="mt-1 max-w-[64ch] text-meta text-pretty text-ink-2">{t("settings.model.textOnly")}</p>
      ) : (
        <div className="flex items-center gap-4">
          <div className="min-w-0 flex-1">
            <p className="tabular text-meta text-ink-2">
              {done >= total
                ? t("settings.model.allEmbedded", { total })
                : t("settings.model.embedded", { done, total })}
            </p>
            {done < total && <Progress label={t("settings.model.embedProgress")} value={done} max={total} />}
          </div>
          {done < total && (
            <Button disabled={readOnly} onClick={() => void catchUp()}>
              {t("settings.model.embedNow")}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
