import { useQuery } from "@tanstack/react-query";
import { subjectsQuery } from "../../ipc/queries";
import { mayKnow } from "../SubjectPicker";

/** True in a world that has somebody, or somebody else, who may know something. */
export const useSomebody = (without?: string): boolean =>
  useQuery(subjectsQuery).data?.rows.some((row) => row.id !== without && mayKnow(row)) ?? false;
