import { z } from "zod";

/** Which section a link wants to be seen. */
export const settingsView = z.object({
  section: z.enum(["language-model", "orientation", "consolidation"]).optional().catch(undefined),
});
