import { RotateCw } from "lucide-react";
import type { I18n } from "../../i18n/i18n";
import { toCommandError } from "../../ipc/errors";
import type { PaletteRow } from "./rows";

/** In place of what could not be read: what went wrong, and another try. */
export function retryRow(group: string, error: unknown, retry: () => void, t: I18n["t"]): PaletteRow {
  return {
    value: `retry ${group}`,
    icon: <RotateCw size={15} strokeWidth={1.75} className="shrink-0 text-danger" aria-hidden />,
    body: (
      <span className="text-ui text-ink">
        <span className="text-danger">{toCommandError(error).message}</span> {t("action.retry")}
      </span>
    ),
    stays: true,
    run: retry,
  };
}
