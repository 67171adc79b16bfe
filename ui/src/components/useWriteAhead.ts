import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { writeAhead } from "../ipc/refresh";
import { useToasts } from "./toast";

/** Writes what a query holds as a whole, such as a group of settings. Shows it at once; a refusal takes it back and says why. */
export function useWriteAhead<T>(
  queryKey: QueryKey,
  write: (next: T) => Promise<unknown>,
): (next: T) => Promise<void> {
  const client = useQueryClient();
  const { failed } = useToasts();
  return useCallback(
    async (next) => {
      try {
        await writeAhead(client, queryKey, next, () => write(next));
      } catch (error) {
        failed(error);
      }
    },
    [client, failed, queryKey, write],
  );
}
