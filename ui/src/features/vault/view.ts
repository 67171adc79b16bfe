import { z } from "zod";

export const pagesView = z.object({
  /** Which page is open; the first one unless a link says otherwise. */
  id: z.string().max(100).optional().catch(undefined),
  /** A heading of it to begin at: its name, or its path of headings. */
  heading: z.string().max(1000).optional().catch(undefined),
  /** Only pages of this linked folder. */
  vault: z.string().max(100).optional().catch(undefined),
  /** What is searched for in the list. */
  q: z.string().max(10_000).optional().catch(undefined),
  /** The linked folders in place of a page. */
  show: z.enum(["folders"]).optional().catch(undefined),
});

export type PagesView = z.infer<typeof pagesView>;
