import { FilePenLine, type LucideIcon, Merge, Scale, Trash2 } from "lucide-react";
import type { ProposalKind } from "../../../ipc/bindings.gen";

const ICONS: Record<ProposalKind, LucideIcon> = {
  edit: FilePenLine,
  merge: Merge,
  retire: Trash2,
  conflict: Scale,
};

/** The picture of a kind of proposal; its name stands beside it. */
export function KindIcon({ kind, size = 14 }: { kind: ProposalKind; size?: number }) {
  const Icon = ICONS[kind];
  return <Icon size={size} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />;
}
