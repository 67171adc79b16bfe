import { useCallback } from "react";
import { useI18n } from "../i18n/i18n";
import type { MessageKey } from "../i18n/messages";
import { useToasts } from "./toast";

/** Copies a text and says so; says so, too, when the system keeps its clipboard to itself. */
export function useCopy() {
  const { t } = useI18n();
  const { notify, failed } = useToasts();
  return useCallback(
    (text: string, message: MessageKey = "toast.copied") => {
      navigator.clipboard.writeText(text).then(() => notify(t(message)), failed);
    },
    [t, notify, failed],
  );
}
