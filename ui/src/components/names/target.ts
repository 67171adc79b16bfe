import type { LensSpec } from "../../ipc/bindings.gen";

/** What a link in a text leads to. */
export type LinkTarget = { kind: "subject" | "memory" | "page"; id: string; heading?: string };

/** A target as the attributes of its link, so that one function answers for all links. */
export const attributesOf = ({ kind, id, heading }: LinkTarget) => ({
  "data-kind": kind,
  "data-target": id,
  "data-heading": heading,
});

export function targetOf({ dataset }: HTMLElement): LinkTarget | null {
  const { kind, target: id, heading } = dataset;
  if (id === undefined || (kind !== "subject" && kind !== "memory" && kind !== "page")) return null;
  return { kind, id, heading };
}

/** Where a target is read. A memory stays in the lens that it was found with. */
export function addressOf({ kind, id, heading }: LinkTarget, lens: LensSpec | null) {
  if (kind === "subject") return { to: "/world", search: { id } } as const;
  if (kind === "page") return { to: "/pages", search: { id, heading } } as const;
  return {
    to: "/memory",
    search: { id, as: lens?.knower ?? undefined, by: lens?.at ?? undefined },
  } as const;
}
