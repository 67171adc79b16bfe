import type { QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "./Button";
import { type Pages, useMorePages } from "./useMorePages";

type ShowMoreProps = { queryKey: QueryKey; query: Pages; className?: string; children: ReactNode };

/** Loads the next page of a list; nothing where there is none. */
export function ShowMore({ queryKey, query, className = "mt-2", children }: ShowMoreProps) {
  const more = useMorePages(queryKey, query);
  if (!query.hasNextPage) return null;
  return (
    <Button
      look="ghost"
      className={`${className} -ml-3`}
      disabled={query.isFetchingNextPage}
      onClick={() => void more()}
    >
      {children}
    </Button>
  );
}
