import { FileText, X } from "lucide-react";
import { IconButton } from "../../components/Button";
import { useI18n } from "../../i18n/i18n";
import { fileName } from "./useAttach";

type AttachedFilesProps = { files: readonly string[]; onRemove(path: string): void };

/** What goes with the message that is being written. */
export function AttachedFiles({ files, onRemove }: AttachedFilesProps) {
  const { t } = useI18n();
  if (files.length === 0) return null;
  return (
    <ul aria-label={t("conversation.attached.list")} className="flex flex-wrap gap-2 px-2 pt-1 pb-2">
      {files.map((path) => {
        const name = fileName(path);
        return (
          <li
            key={path}
            className="inline-flex min-w-0 items-center gap-2 rounded-sm border border-line bg-sunken pl-2 text-ui text-ink"
          >
            <FileText size={14} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />
            <span title={path} className="max-w-60 truncate">
              {name}
            </span>
            <IconButton
              label={t("conversation.attached.remove", { name })}
              className="size-7"
              onClick={() => onRemove(path)}
            >
              <X size={14} aria-hidden />
            </IconButton>
          </li>
        );
      })}
    </ul>
  );
}
