import { z } from "zod";

/** Which subject is open, and which kind is listed. */
export const worldView = z.object({
  id: z.string().max(100).optional().catch(undefined),
  kind: z.string().max(60).optional().catch(undefined),
});

export type WorldView = z.infer<typeof worldView>;
