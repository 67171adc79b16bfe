import { z } from "zod";

export const TABS = ["story", "chapters", "calendars"] as const;
export type Tab = (typeof TABS)[number];

/** How the story is shown. */
export const LOOKS = ["list", "lanes"] as const;

/** Which part of the timeline is shown, and what is listed of it. */
export const timelineView = z.object({
  page: z.enum(TABS).optional().catch(undefined),
  within: z.string().max(1000).optional().catch(undefined),
  look: z.enum(LOOKS).optional().catch(undefined),
  kind: z.string().max(60).optional().catch(undefined),
});

export type TimelineView = z.infer<typeof timelineView>;
