import { type QueryKey, type UseQueryResult, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { useToasts } from "../../components/toast";
import { announce } from "../../ipc/changes";

/** Shows a change of a group of settings at once, and takes it back if the core refuses it. */
export function useKept<T>(queryKey: QueryKey, write: (next: T) => Promise<T>): (next: T) => Promise<void> {
  const client = useQueryClient();
  const { failed } = useToasts();
  return useCallback(
    async (next) => {
      // An answer that is still on its way tells how it was before.
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<T>(queryKey);
      client.setQueryData(queryKey, next);
      try {
        await write(next);
      } catch (error) {
        client.setQueryData(queryKey, before);
        failed(error);
      }
      announce("settings");
    },
    [client, failed, queryKey, write],
  );
}

/** Brings a section into view that a link asked for, once it is there. */
export function useWanted<T>(wanted: boolean, query: UseQueryResult<T>) {
  const place = useRef<HTMLDivElement>(null);
  const here = query.data !== undefined;
  useEffect(() => {
    if (wanted && here) place.current?.scrollIntoView({ block: "start" });
  }, [wanted, here]);
  return place;
}
