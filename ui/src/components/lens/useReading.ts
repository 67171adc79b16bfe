import { useQuery } from "@tanstack/react-query";
import { toCommandError } from "../../ipc/errors";
import { lensQuery } from "../../ipc/queries";
import { useSettled } from "../hooks";

/** How long typing rests before a time is read. */
export const REST = 250;

/** How a time of the story that is typed reads, once typing rests. */
export function useReading(text: string) {
  const typed = text.trim();
  const settled = useSettled(typed, REST);
  const query = useQuery({ ...lensQuery({ knower: null, at: settled }), enabled: settled !== "" });
  const isRead = settled !== "" && settled === typed;
  return {
    view: isRead ? (query.data ?? null) : null,
    problem: isRead && query.error ? toCommandError(query.error).message : null,
  };
}
