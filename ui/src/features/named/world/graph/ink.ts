import type { Ink } from "./draw";

const KINDS = [
  "character",
  "place",
  "faction",
  "item",
  "event",
  "chapter",
  "culture",
  "rule",
  "concept",
  "audience",
  "calendar",
  "own",
].map((kind) => `kind-${kind}`);

/** The colours of the graph. */
export const inkOf = (color: (token: string) => string, font: string): Ink => ({
  ink: color("ink"),
  soft: color("ink-2"),
  paper: color("paper"),
  line: color("line"),
  edge: color("edge"),
  accent: color("accent"),
  kinds: Object.fromEntries(KINDS.map((kind) => [kind, color(kind)])),
  font,
});
