import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Target } from "../ipc/bindings.gen";
import { statusQuery } from "../ipc/queries";
import { linkTo } from "./link";
import { useCopy } from "./useCopy";

/** Copies the link to a thing of the open world. */
export function useCopyLink(): (target: Target, value: string) => void {
  const copy = useCopy();
  const world = useQuery(statusQuery).data?.workspace?.id;
  return useCallback((target, value) => copy(linkTo(target, value, world), "link.copied"), [copy, world]);
}
