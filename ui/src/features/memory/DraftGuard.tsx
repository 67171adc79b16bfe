import { useEffect, useRef, useState } from "react";
import { Confirm } from "../../components/Modal";
import { useI18n } from "../../i18n/i18n";
import { guardClose } from "../../ipc/window";
import { useDraftIds } from "./drafts";

/** Asks before the window closes on edits that are not saved. Idle while there are none. */
export function DraftGuard() {
  const { t } = useI18n();
  const count = useDraftIds().length;
  const [asking, setAsking] = useState(false);
  const answer = useRef<((close: boolean) => void) | null>(null);
  const some = count > 0;

  useEffect(() => {
    if (!some) return;
    return guardClose(
      () =>
        new Promise((resolve) => {
          answer.current = resolve;
          setAsking(true);
        }),
    );
  }, [some]);

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
      body={t("edit.closeBody", { count })}
      confirm={t("edit.closeDo")}
      cancel={t("edit.closeStay")}
    />
  );
}
