import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { saveDrafts, unsavedDrafts, useHasUnsaved } from "../components/draftStore";
import { Confirm } from "../components/Modal";
import { useI18n } from "../i18n/i18n";
import { guardClose } from "../ipc/window";

/** Before the window closes: what can be saved is saved, and what cannot is asked about. Idle while there is nothing. */
export function CloseGuard() {
  const { t } = useI18n();
  const client = useQueryClient();
  const hasUnsaved = useHasUnsaved();
  const [left, setLeft] = useState<ReturnType<typeof unsavedDrafts>>([]);
  const [asking, setAsking] = useState(false);
  const answer = useRef<((close: boolean) => void) | null>(null);

  useEffect(() => {
    if (!hasUnsaved) return;
    return guardClose(async () => {
      await saveDrafts(client);
      const left = unsavedDrafts();
      if (left.length === 0) return true;
      return await new Promise((resolve) => {
        answer.current = resolve;
        setLeft(left);
        setAsking(true);
      });
    });
  }, [hasUnsaved, client]);

  const say = (close: boolean) => {
    setAsking(false);
    answer.current?.(close);
    answer.current = null;
  };
  return (
    <Confirm
      open={asking}
      onClose={() => say(false)}
      onConfirm={() => say(true)}
      title={t("edit.closeTitle")}
      body={left.map(({ closeBody, count }) => t(closeBody, { count })).join(" ")}
      confirm={t("edit.closeDo")}
      cancel={t("edit.closeStay")}
    />
  );
}
