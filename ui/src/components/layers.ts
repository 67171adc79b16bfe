import type { LeftOutRule, OrientationLayer } from "../ipc/bindings.gen";

/** A hue or a strength of ink for each layer; the legend names them, so that colour is never the only sign. */
export const LAYER_TINT: Record<OrientationLayer, string> = {
  named: "bg-accent",
  subjects: "bg-accent/60",
  facts: "bg-ink-2",
  episodes: "bg-ink-3",
  earlier: "bg-line-strong",
  conversation: "bg-tier-conversation",
  channel: "bg-tier-channel",
  workspace: "bg-tier-workspace",
  account: "bg-tier-account",
  pages: "bg-ink-3/60",
  patterns: "bg-ink-2/60",
};

export const RULES: readonly LeftOutRule[] = ["budget", "limit", "repeats", "refined"];

/** What a lens leaves out, and why. */
export const WITHHOLDING: readonly LeftOutRule[] = ["unknown", "not_then"];
