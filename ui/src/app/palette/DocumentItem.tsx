import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { FileText, MessageSquareText } from "lucide-react";
import { useCallback } from "react";
import { FoundMessage } from "../../components/FoundMessage";
import { FoundPage } from "../../components/FoundPage";
import { Highlight } from "../../components/Highlight";
import { plain } from "../../components/plain";
import { TierIcon } from "../../components/Tier";
import { Time } from "../../components/Time";
import { useI18n } from "../../i18n/i18n";
import type { DocumentHit } from "../../ipc/bindings.gen";

/** A key and cmdk value: unique among documents of every kind. */
export const documentKey = (hit: DocumentHit) => `${hit.kind} ${idOf(hit)}`;

function idOf(hit: DocumentHit): string {
  if (hit.kind === "memory") return hit.row.id;
  return hit.kind === "message" ? hit.message.id : hit.page.id;
}

/** Opens a memory or a page where it is read, a message in its conversation. */
export function useOpenDocument(): (hit: DocumentHit) => void {
  const navigate = useNavigate();
  return useCallback(
    (hit) => {
      if (hit.kind === "memory") void navigate({ to: "/memory", search: { id: hit.row.id } });
      else if (hit.kind === "page")
        void navigate({ to: "/pages", search: { id: hit.page.id, heading: hit.heading || undefined } });
      else
        void navigate({
          to: "/conversations/$ref",
          params: { ref: hit.conversation.refCode },
          search: { at: hit.message.position },
        });
    },
    [navigate],
  );
}

/** A document that was found: what it says, and where it stands. */
export function DocumentItem({ hit, onSelect }: { hit: DocumentHit; onSelect(): void }) {
  return (
    <Command.Item
      value={documentKey(hit)}
      onSelect={onSelect}
      className="flex gap-3 rounded-sm px-2 py-2 data-[selected=true]:bg-accent-wash"
    >
      <Sign hit={hit} />
      <div className="min-w-0 flex-1">
        {hit.kind === "memory" ? (
          <Memory hit={hit} />
        ) : hit.kind === "page" ? (
          <FoundPage hit={hit} />
        ) : (
          <FoundMessage hit={hit} />
        )}
      </div>
    </Command.Item>
  );
}

function Sign({ hit }: { hit: DocumentHit }) {
  if (hit.kind === "memory") return <TierIcon scope={hit.row.scope} size={15} className="mt-1" />;
  const Icon = hit.kind === "page" ? FileText : MessageSquareText;
  return <Icon size={15} strokeWidth={1.75} className="mt-1 shrink-0 text-ink-3" aria-hidden />;
}

type Of<K extends DocumentHit["kind"]> = Extract<DocumentHit, { kind: K }>;

function Memory({ hit }: { hit: Of<"memory"> }) {
  const { t } = useI18n();
  const { row } = hit;
  const heading = row.name ?? row.title;
  return (
    <>
      <p className="line-clamp-2 font-serif text-snippet wrap-anywhere text-ink">
        {heading && <span className="font-[600]">{heading}. </span>}
        <Highlight {...plain(hit.snippet, hit.spans, heading)} />
      </p>
      <p className="flex gap-2 text-meta whitespace-nowrap text-ink-3">
        <span className="shrink-0">{t(`tier.${row.scope}`)}</span>
        {row.channelName !== null && (
          <>
            <span aria-hidden>·</span>
            <span className="min-w-0 truncate">#{row.channelName}</span>
          </>
        )}
        <Time iso={row.updatedAt} className="ml-auto shrink-0" />
      </p>
    </>
  );
}
