import type { Scope } from "../../ipc/bindings.gen";

/** A dash for each tier beside its hue, so that the lines can be told apart without colour. */
export const DASH: Record<Scope, number[]> = {
  account: [],
  workspace: [10, 3],
  channel: [5, 3],
  conversation: [2, 3],
};
