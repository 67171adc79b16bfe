import { useCallback } from "react";
import { toast } from "sonner";
import { useI18n } from "../i18n/i18n";
import type { Change } from "../ipc/bindings.gen";
import { core } from "../ipc/client";
import { toCommandError } from "../ipc/errors";

/** Long enough to notice, read and reach the button. */
const UNDO_MS = 12_000;

/** Takes every message away. */
export const dismissToasts = () => toast.dismiss();

export function useToasts() {
  const { t } = useI18n();

  const failed = useCallback(
    (thrown: unknown) => {
      const { code, message } = toCommandError(thrown);
      toast.error(t(`error.${code}`), { description: message, duration: 10_000 });
    },
    [t],
  );

  /** Says what was not done, and why. */
  const refused = useCallback((text: string, why: string) => {
    toast.error(text, { description: why, duration: 10_000 });
  }, []);

  const notify = useCallback((text: string) => {
    toast(text);
  }, []);

  /** Says what was done, with a way to take it back. */
  const done = useCallback(
    (text: string, change: Change) => {
      toast(text, {
        duration: UNDO_MS,
        ...(change.undoable && {
          action: {
            label: t("action.undo"),
            onClick: () => {
              core.undoChange(change.changeId).then(({ affected }) => {
                toast(t("toast.undone", { count: affected.length }));
              }, failed);
            },
          },
        }),
      });
    },
    [t, failed],
  );

  /** The same for what the journal of memories does not know: `undo` is the way back. */
  const undoable = useCallback(
    (text: string, undo: () => Promise<void>) => {
      toast(text, {
        duration: UNDO_MS,
        action: { label: t("action.undo"), onClick: () => void undo().catch(failed) },
      });
    },
    [t, failed],
  );

  /** Says something that there is more to see of. */
  const offered = useCallback((text: string, label: string, onClick: () => void) => {
    toast(text, { duration: UNDO_MS, action: { label, onClick } });
  }, []);

  return { done, notify, refused, undoable, offered, failed };
}
