import { z } from "zod";

/** Which entry is open; the first one unless a link says otherwise. */
export const namedView = z.object({ id: z.string().max(100).optional().catch(undefined) });

export type NamedView = z.infer<typeof namedView>;
