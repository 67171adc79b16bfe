import { getRouteApi } from "@tanstack/react-router";
import { useCallback } from "react";
import { z } from "zod";

export const TABS = ["overview", "scrub", "clients", "audit", "backups"] as const;

/** The whole state of the control plane that Back and a link should bring back. Of what is to be scrubbed only one memory is part of it. */
export const controlView = z.object({
  part: z.enum(TABS).optional().catch(undefined),
  /** The client that is looked at. */
  client: z.string().max(100).optional().catch(undefined),
  /** The memory that is to be scrubbed. */
  entry: z.string().max(100).optional().catch(undefined),
});

export type ControlView = z.infer<typeof controlView>;
export type Tab = (typeof TABS)[number];

const route = getRouteApi("/control");

/** Reads the view from the address, and changes it there. */
export function useView() {
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const go = useCallback(
    (patch: Partial<ControlView>, options?: { replace?: boolean }) => {
      void navigate({ search: (old) => ({ ...old, ...patch }), replace: options?.replace ?? false });
    },
    [navigate],
  );
  return { view, go };
}
