import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { IconButton } from "../../../../components/Button";
import { plain } from "../../../../components/plain";
import { useI18n } from "../../../../i18n/i18n";
import { detailQuery } from "../../../../ipc/queries";
import { useView } from "../../view";

/** The target and the sequence that the list is narrowed to by a link, each with the way back. */
export function Narrowed() {
  const { t } = useI18n();
  const { view, go } = useView();
  const { target, sequence } = view;
  if (target === undefined && sequence === undefined) return null;
  return (
    <div className="shrink-0 border-b border-line">
      <div className="flex max-w-270 flex-wrap gap-2 px-4 py-1.5">
        {target !== undefined && (
          <Chip remove={t("telemetry.showAllTargets")} onRemove={() => go({ target: undefined })}>
            <TargetName id={target} />
          </Chip>
        )}
        {sequence !== undefined && (
          <Chip remove={t("telemetry.showAllSequences")} onRemove={() => go({ sequence: undefined })}>
            {t("telemetry.inSequence")}
          </Chip>
        )}
      </div>
    </div>
  );
}

function TargetName({ id }: { id: string }) {
  const { t } = useI18n();
  // A fact or a conversation is no memory, and what is gone has no name.
  const { data } = useQuery({ ...detailQuery(id), retry: false });
  if (!data) return t("telemetry.onTargetUnnamed");
  return t("telemetry.onTarget", { name: data.row.name ?? plain(data.row.preview).text });
}

type ChipProps = { remove: string; onRemove(): void; children: React.ReactNode };

function Chip({ remove, onRemove, children }: ChipProps) {
  return (
    <span className="fc-border inline-flex h-8 min-w-0 items-center gap-1 rounded-md bg-accent-wash pr-0.5 pl-3 text-ui text-ink">
      <span className="truncate">{children}</span>
      <IconButton label={remove} className="size-7!" onClick={onRemove}>
        <X size={14} aria-hidden />
      </IconButton>
    </span>
  );
}
