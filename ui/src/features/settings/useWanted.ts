import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

/** Brings a section into view that a link asked for, once it is there. */
export function useWanted<T>(wanted: boolean, query: UseQueryResult<T>) {
  const place = useRef<HTMLDivElement>(null);
  const here = query.data !== undefined;
  useEffect(() => {
    if (wanted && here) place.current?.scrollIntoView({ block: "start" });
  }, [wanted, here]);
  return place;
}
