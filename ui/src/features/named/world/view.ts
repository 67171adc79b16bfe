import { z } from "zod";
import { lensFields } from "../../../components/lens/address";

/** How the world is shown. */
export const LOOKS = ["list", "graph", "facts"] as const;
export type Look = (typeof LOOKS)[number];

/** Which subject is open, and what is shown of the world. */
export const worldView = z.object({
  id: z.string().max(100).optional().catch(undefined),
  /** The name of a subject to add: it is asked for its kind. */
  add: z.string().max(200).optional().catch(undefined),
  /** The kind that is listed. */
  kind: z.string().max(60).optional().catch(undefined),
  look: z.enum(LOOKS).optional().catch(undefined),
  /** The subject whose surroundings the graph shows; without one it shows the whole world. */
  around: z.string().max(100).optional().catch(undefined),
  /** Kinds that the graph leaves out. */
  hide: z.array(z.string().max(60)).max(100).optional().catch(undefined),
  /** Whose knowledge the graph shows. */
  ...lensFields,
});

export type WorldView = z.infer<typeof worldView>;
