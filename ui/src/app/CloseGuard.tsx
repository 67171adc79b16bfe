import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Confirm } from "../components/Modal";
import { useDraftIds } from "../features/memory/drafts";
import { saveAll, useUnsavedIds } from "../features/named/drafts";
import { useI18n } from "../i18n/i18n";
import { guardClose } from "../ipc/window";

/** Before the window closes: what can be saved is saved, and what cannot is asked about. Idle while there is nothing. */
export function CloseGuard() {
  const { t } = useI18n();
  const client = useQueryClient();
  const drafts = useDraftIds().length;
  const unsaved = useUnsavedIds().length;
  const [asking, setAsking] = useState(false);
  const answer = useRef<((close: boolean) => void) | null>(null);
  const some = drafts + unsaved > 0;

  useEffect(() => {
    if (!some) return;
    return guardClose(async () => {
      const left = await saveAll(client);
      if (left === 0 && drafts === 0) return true;
      return await new Promise((resolve) => {
        answer.current = resolve;
        setAsking(true);
      });
    });
  }, [some, drafts, client]);

  const say = (close: boolean) => {
    setAsking(false);
    answer.current?.(close);
    answer.current = null;
  };
  const body = [
    drafts > 0 && t("edit.closeBody", { count: drafts }),
    unsaved > 0 && t("named.closeBody", { count: unsaved }),
  ];
  return (
    <Confirm
      open={asking}
      onClose={() => say(false)}
      onConfirm={() => say(true)}
      title={t("edit.closeTitle")}
      body={body.filter((it) => it !== false).join(" ")}
      confirm={t("edit.closeDo")}
      cancel={t("edit.closeStay")}
    />
  );
}
