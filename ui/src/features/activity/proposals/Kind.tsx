import { FilePenLine, FilePlus2, type LucideIcon, Merge, Scale, Trash2 } from "lucide-react";
import type { MessageKey } from "../../../i18n/messages";
import type { ProposalKind, ProposalView } from "../../../ipc/bindings.gen";

const ICONS: Record<ProposalKind, LucideIcon> = {
  edit: FilePenLine,
  merge: Merge,
  retire: Trash2,
  conflict: Scale,
  new: FilePlus2,
};

/** What a proposal would do, in a few words: of a new memory also where. */
export function kindKey({ kind, makes }: Pick<ProposalView, "kind" | "makes">): MessageKey {
  return makes?.scope === "account" ? "proposal.kind.newInAccount" : `proposal.kind.${kind}`;
}

/** The picture of a kind of proposal; its name stands beside it. */
export function KindIcon({ kind, size = 14 }: { kind: ProposalKind; size?: number }) {
  const Icon = ICONS[kind];
  return <Icon size={size} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />;
}
