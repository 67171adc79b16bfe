import { z } from "zod";
import { READ_MOST } from "../../../ipc/queries";
import { memoryView } from "../view";

const optional = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

/** The list that is read, and what was chosen in it; nothing chosen: all of it. */
export const readingView = memoryView.omit({ id: true }).extend({
  ids: optional(z.array(z.string().max(100)).max(READ_MOST)),
  /** How many were chosen, where they are more than can be read at once. */
  of: optional(z.number().int().positive()),
});

export type ReadingView = z.infer<typeof readingView>;

/** What an address has of a choice. */
export const chosenView = (ids: readonly string[]): Pick<ReadingView, "ids" | "of"> => ({
  ids: ids.length > 0 ? ids.slice(0, READ_MOST) : undefined,
  of: ids.length > READ_MOST ? ids.length : undefined,
});
