import { useEffect, useRef, useState } from "react";
import { useLatest } from "../../components/hooks";
import { useToasts } from "../../components/toast";
import { useI18n } from "../../i18n/i18n";
import type { EmbedProgress, ModelProgress, ModelView } from "../../ipc/bindings.gen";
import { announce } from "../../ipc/changes";
import { core } from "../../ipc/client";
import { onEmbedProgress, onModelProgress } from "../../ipc/events";

export type Download = {
  progress: ModelProgress | null;
  start(id: string): void;
  cancel(): void;
};

/** The one download that can run at a time. */
export function useDownload(models: ModelView[] | undefined): Download {
  const { t } = useI18n();
  const { notify, failed } = useToasts();
  const [progress, setProgress] = useState<ModelProgress | null>(null);
  const latest = useLatest({ t, notify, models, failed });
  useEffect(
    () =>
      onModelProgress((next) => {
        const { t, notify, models, failed } = latest.current;
        setProgress(next.state === "downloading" ? next : null);
        if (next.state === "downloading") return;
        announce("models");
        if (next.state === "done") {
          const name = models?.find((it) => it.id === next.modelId)?.name ?? next.modelId;
          notify(t("settings.model.done", { name }));
        } else if (next.state === "cancelled") {
          notify(t("settings.download.cancelled"));
        } else {
          const message = next.message ?? t("settings.model.failed");
          failed({ code: "model_unavailable", message, details: null });
        }
      }),
    [latest],
  );
  return {
    progress,
    start: (id) => {
      setProgress({ modelId: id, downloaded: 0, total: 0, state: "downloading", message: null });
      core.fetchModel(id).catch((error: unknown) => {
        setProgress(null);
        failed(error);
      });
    },
    cancel: () => void core.cancelFetch().catch(failed),
  };
}

/** Progress of the background reading, while it reports; forgotten once it is silent. */
export function useEmbedding(): EmbedProgress | null {
  const [progress, setProgress] = useState<EmbedProgress | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const stop = onEmbedProgress((next) => {
      setProgress(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        setProgress(null);
        announce("models");
      }, 2000);
    });
    return () => {
      stop();
      clearTimeout(timer.current);
    };
  }, []);
  return progress;
}
