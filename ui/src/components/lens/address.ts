import { z } from "zod";
import type { LensSpec } from "../../ipc/bindings.gen";

/** In an address a year is a number. */
const words = z
  .union([z.string().max(1000), z.number().transform(String)])
  .optional()
  .catch(undefined);

/** The part of an address that says whose knowledge is shown. */
export const lensFields = {
  /** A subject, by id, name or alias. */
  as: words,
  /** Up to when the story has happened: a chapter, by id or name, or a date. */
  by: words,
};

type Fields = { as?: string | undefined; by?: string | undefined };

/** The lens of an address, if it has one. */
export function lensOf({ as, by }: Fields): LensSpec | null {
  const [knower, at] = [as?.trim() || null, by?.trim() || null];
  return knower === null && at === null ? null : { knower, at };
}
