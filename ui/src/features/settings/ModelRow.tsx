import { Check, Download as DownloadIcon } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/Button";
import { useToasts } from "../../components/toast";
import { useI18n } from "../../i18n/i18n";
import type { ModelView } from "../../ipc/bindings.gen";
import { announce } from "../../ipc/changes";
import { core } from "../../ipc/client";
import { DownloadProgress } from "./DownloadProgress";
import type { Download } from "./useProgress";

type ModelRowProps = { model: ModelView; download: Download; readOnly: boolean };

export function ModelRow({ model, download, readOnly }: ModelRowProps) {
  const { t, number } = useI18n();
  const { notify, failed } = useToasts();
  const [busy, setBusy] = useState(false);
  const running = download.progress?.modelId === model.id ? download.progress : null;
  const use = async () => {
    setBusy(true);
    try {
      await core.activateModel(model.id);
      notify(t("settings.model.using", { name: model.name }));
    } catch (error) {
      failed(error);
    }
    setBusy(false);
    announce("models");
  };
  const facts = [
    model.bundled ? t("settings.model.bundled") : t("settings.model.size", { size: model.sizeMb }),
    model.languages,
    t("settings.model.dimension", { dimension: model.dimension }),
    model.license,
  ];
  return (
    <li className="flex items-center gap-6 border-b border-line py-4">
      <div className="min-w-0 flex-1">
        <p className="text-lead text-ink">{model.name}</p>
        <p className="text-ui text-pretty text-ink-2">{model.description}</p>
        <p className="tabular mt-1 text-meta text-ink-3">{facts.join(" · ")}</p>
        {running && (
          <DownloadProgress
            name={model.name}
            downloaded={running.downloaded}
            total={running.total || model.sizeMb * 1e6}
          />
        )}
      </div>
      {running ? (
        <Button onClick={download.cancel}>{t("settings.download.cancel")}</Button>
      ) : model.active ? (
        <span className="inline-flex items-center gap-1 px-3 text-ui text-accent">
          <Check size={14} aria-hidden />
          {t("settings.model.active")}
        </span>
      ) : model.installed ? (
        <Button
          disabled={readOnly || busy}
          aria-label={t("settings.model.useNamed", { name: model.name })}
          onClick={() => void use()}
        >
          {t("settings.model.use")}
        </Button>
      ) : (
        <Button
          disabled={readOnly || download.progress !== null}
          aria-label={t("settings.model.downloadNamed", { name: model.name, size: number(model.sizeMb) })}
          onClick={() => download.start(model.id)}
        >
          <DownloadIcon size={14} aria-hidden />
          {t("settings.model.download")}
        </Button>
      )}
    </li>
  );
}
