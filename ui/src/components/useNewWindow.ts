import { type NavigateOptions, useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import { core } from "../ipc/client";
import { useToasts } from "./toast";

/** Opens a place of the page, as its address names it, in a window of its own. */
export function useNewWindow(): (place: string) => void {
  const { failed } = useToasts();
  return useCallback((place) => void core.openWindow(place).catch(failed), [failed]);
}

/** The same for where a link would lead. */
export function useNewWindowAt(): (to: NavigateOptions) => void {
  const router = useRouter();
  const open = useNewWindow();
  return useCallback((to) => open(router.buildLocation(to).href), [router, open]);
}
