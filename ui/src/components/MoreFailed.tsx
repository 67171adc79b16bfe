import { useI18n } from "../i18n/i18n";
import { toCommandError } from "../ipc/errors";
import { Button } from "./Button";
import type { MorePages } from "./useMorePages";

/** Why the next page of a list is not there, in words; null if nothing went wrong. */
export function useMoreFailed({ error }: MorePages): string | null {
  const { t } = useI18n();
  return error ? t("state.moreFailed", { reason: toCommandError(error).message }) : null;
}

/** Below a list that reads its pages by itself: says that the next one could not be read, and reads it on request. */
export function MoreFailed({ more }: { more: MorePages }) {
  const { t } = useI18n();
  const problem = useMoreFailed(more);
  if (problem === null) return null;
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-3 border-t border-line bg-warn-wash px-4 py-2">
      <p role="alert" className="min-w-0 flex-1 text-ui text-ink">
        {problem}
      </p>
      <Button disabled={more.isLoading} onClick={() => void more.retry()}>
        {t("action.retry")}
      </Button>
    </div>
  );
}
