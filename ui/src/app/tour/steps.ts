import { useQuery } from "@tanstack/react-query";
import { type NavigateOptions, useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { allConversationsQuery } from "../../ipc/queries";

export const STEPS = ["memory", "search", "subject", "shown", "access"] as const;
export type Step = (typeof STEPS)[number];

type Pointing = {
  /** What the step points at. */
  at: string;
  /** What it points at until that is there, and in a world that has none: the way to its page. */
  otherwise: string;
  side: "bottom" | "right" | "left";
};

export const POINTING: Record<Step, Pointing> = {
  memory: { at: "#page [role=grid] [role=row]", otherwise: "nav a[href*='/memory']", side: "right" },
  search: { at: "#page search", otherwise: "nav a[href*='/memory']", side: "bottom" },
  subject: {
    at: "#page [role=listbox] [role=option]",
    otherwise: "nav a[href*='/world']",
    side: "right",
  },
  shown: {
    at: "#page aside [role=tab][aria-selected=true]",
    otherwise: "nav a[href*='/conversations']",
    side: "left",
  },
  access: {
    at: "#page [role=tab][aria-selected=true]",
    otherwise: "nav a[href*='/settings']",
    side: "bottom",
  },
};

/** Goes to the page of a step. */
export function useOpenStep(): (step: Step) => void {
  const navigate = useNavigate();
  const conversation = useQuery(allConversationsQuery).data?.rows[0]?.refCode;
  return useCallback(
    (step) => {
      const pages: Record<Step, NavigateOptions> = {
        memory: { to: "/memory", search: {} },
        search: { to: "/memory", search: {} },
        subject: { to: "/world", search: {} },
        shown:
          conversation === undefined
            ? { to: "/conversations", search: {} }
            : { to: "/conversations/$ref", params: { ref: conversation }, search: { tab: "shown" } },
        access: { to: "/control", search: { part: "clients" } },
      };
      void navigate(pages[step]);
    },
    [navigate, conversation],
  );
}
