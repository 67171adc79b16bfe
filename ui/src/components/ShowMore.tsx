import type { QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useI18n } from "../i18n/i18n";
import { Button } from "./Button";
import { useMoreFailed } from "./MoreFailed";
import { type Pages, useMorePages } from "./useMorePages";

type ShowMoreProps = { queryKey: QueryKey; query: Pages; className?: string; children: ReactNode };

/** Loads the next page of a list; nothing where there is none. */
export function ShowMore({ queryKey, query, className = "mt-2", children }: ShowMoreProps) {
  const { t } = useI18n();
  const more = useMorePages(queryKey, query);
  const problem = useMoreFailed(more);
  if (!more.exists) return null;
  return (
    <div className={className}>
      {problem !== null && (
        <p role="alert" className="text-ui text-danger">
          {problem}
        </p>
      )}
      <Button look="ghost" className="-ml-3" disabled={more.isLoading} onClick={() => void more.retry()}>
        {problem === null ? children : t("action.retry")}
      </Button>
    </div>
  );
}
