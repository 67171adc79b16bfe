import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { RecallTestRequest, RecallTestView } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { keys } from "../../ipc/keys";
import { useToasts } from "../toast";

/** What can be done to recall tests. Results are in the list at once: a folder that cannot be written keeps none. */
export function useRecallWrites() {
  const client = useQueryClient();
  const { failed } = useToasts();
  return useMemo(() => {
    const change = (next: (tests: RecallTestView[]) => RecallTestView[]) =>
      client.setQueryData<RecallTestView[]>(keys.recallTests, (old) => old && next(old));
    return {
      /** Throws what the core refuses. */
      add: async (request: RecallTestRequest): Promise<RecallTestView> => {
        const added = await core.addRecallTest(request);
        change((tests) => [...tests.filter((it) => it.id !== added.id), added]);
        return added;
      },
      /** Runs these, or all of them. */
      run: async (ids: string[]): Promise<void> => {
        try {
          const done = await core.runRecallTests(ids);
          const results = new Map(done.map((test) => [test.id, test]));
          change((tests) => tests.map((test) => results.get(test.id) ?? test));
        } catch (error) {
          failed(error);
        }
      },
      remove: async (id: string): Promise<boolean> => {
        try {
          await core.removeRecallTest(id);
          change((tests) => tests.filter((test) => test.id !== id));
          return true;
        } catch (error) {
          failed(error);
          return false;
        }
      },
    };
  }, [client, failed]);
}
