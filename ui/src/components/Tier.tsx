import { clsx } from "clsx";
import { CircleUserRound, Globe, Hash, type LucideIcon, MessagesSquare } from "lucide-react";
import type { Scope } from "../ipc/bindings.gen";

export const TIERS: readonly Scope[] = ["account", "workspace", "channel", "conversation"];

const ICONS: Record<Scope, LucideIcon> = {
  account: CircleUserRound,
  workspace: Globe,
  channel: Hash,
  conversation: MessagesSquare,
};

const HUES: Record<Scope, string> = {
  account: "text-tier-account",
  workspace: "text-tier-workspace",
  channel: "text-tier-channel",
  conversation: "text-tier-conversation",
};

/** The picture of a tier, in its hue. Says nothing to a screen reader: the name stands beside it. */
export function TierIcon({
  scope,
  size = 14,
  className,
}: {
  scope: Scope;
  size?: number;
  className?: string;
}) {
  const Icon = ICONS[scope];
  return (
    <Icon size={size} strokeWidth={1.75} className={clsx("shrink-0", HUES[scope], className)} aria-hidden />
  );
}
