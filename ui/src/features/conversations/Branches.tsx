import { useQuery } from "@tanstack/react-query";
import { ChevronDown, GitBranch } from "lucide-react";
import { Menu, MenuItem } from "../../components/Menu";
import { useI18n } from "../../i18n/i18n";
import type { ConversationView } from "../../ipc/bindings.gen";
import { branchesQuery } from "../../ipc/queries";
import { useTitle } from "./StatusMark";

const LINK = "min-h-6 truncate rounded-sm text-meta text-accent hover:underline";

type BranchesProps = { conversation: ConversationView; onOpen(ref: string): void };

/** What a conversation continues or branched from, and what branched from it. */
export function Branches({ conversation, onOpen }: BranchesProps) {
  const { t } = useI18n();
  const title = useTitle();
  const { continues, sharesThrough } = conversation;
  const { data: branches = [] } = useQuery(branchesQuery(conversation.refCode));
  return (
    <>
      {continues && (
        <button type="button" onClick={() => onOpen(continues.refCode)} className={LINK}>
          {t(sharesThrough === null ? "conversation.continues" : "conversation.branchOf", {
            title: title(continues),
          })}
        </button>
      )}
      {branches.length > 0 && (
        <Menu
          trigger={
            <button type="button" className={`${LINK} inline-flex items-center gap-1`}>
              <GitBranch size={12} aria-hidden />
              {t("conversation.branches", { count: branches.length })}
              <ChevronDown size={12} aria-hidden />
            </button>
          }
        >
          {branches.map((branch) => (
            <MenuItem key={branch.id} onSelect={() => onOpen(branch.refCode)}>
              {title(branch)} <span className="tabular text-meta text-ink-3">{branch.refCode}</span>
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  );
}
