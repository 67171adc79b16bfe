import { Button } from "../../components/Button";
import { Progress } from "../../components/Progress";
import { useI18n } from "../../i18n/i18n";
import type { TransferProgress } from "../../ipc/bindings.gen";

type RunningProps = {
  text: string;
  label: string;
  note?: string;
  progress: TransferProgress | null;
  stopping: boolean;
  onStop(): void;
};

/** Work under way: how far it is, and a way to stop it. */
export function Running({ text, label, note, progress, stopping, onStop }: RunningProps) {
  const { t } = useI18n();
  return (
    <div>
      <p className="text-lead text-ink">{text}</p>
      <Progress label={label} value={progress?.done ?? 0} max={progress?.total ?? 0} />
      {note !== undefined && <p className="mt-3 text-meta text-ink-2">{note}</p>}
      <div className="mt-6 flex justify-end">
        <Button aria-disabled={stopping || undefined} onClick={() => !stopping && onStop()}>
          {t(stopping ? "transfer.cancelling" : "transfer.cancel")}
        </Button>
      </div>
    </div>
  );
}
