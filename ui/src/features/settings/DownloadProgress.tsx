import { Progress } from "../../components/Progress";
import { useI18n } from "../../i18n/i18n";

type DownloadProgressProps = { name: string; downloaded: number; total: number };

/** How many bytes of a download have come, of how many. */
export function DownloadProgress({ name, downloaded, total }: DownloadProgressProps) {
  const { t, number } = useI18n();
  const mb = (bytes: number) => number(bytes / 1e6, { maximumFractionDigits: 0 });
  return (
    <>
      <Progress label={t("settings.download.label", { name })} value={downloaded} max={total} />
      <p aria-live="off" className="tabular mt-1 text-meta text-ink-2">
        {t("settings.download.progress", { done: mb(downloaded), total: mb(total) })}
      </p>
    </>
  );
}
