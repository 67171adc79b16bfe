import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { announce } from "../ipc/changes";

/** To be called in another world: nothing of the old one may stay on the page, filters and selection included. */
export function useEntered(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useCallback(async () => {
    await navigate({ to: "/memory", search: {} });
    await client.resetQueries();
    announce("workspaces");
  }, [client, navigate]);
}
