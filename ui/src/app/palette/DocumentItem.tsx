import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { MessageSquareText } from "lucide-react";
import { useCallback } from "react";
import { FoundMessage } from "../../components/FoundMessage";
import { Highlight } from "../../components/Highlight";
import { plain } from "../../components/plain";
import { TierIcon } from "../../components/Tier";
import { Time } from "../../components/Time";
import { useI18n } from "../../i18n/i18n";
import type { ShownHit } from "../../ipc/queries";

/** A key and cmdk value: unique among documents of every kind. */
export const documentKey = (hit: ShownHit) =>
  hit.kind === "memory" ? `memory ${hit.row.id}` : `message ${hit.message.id}`;

/** Opens a memory on its page, a message in its conversation. */
export function useOpenDocument(): (hit: ShownHit) => void {
  const navigate = useNavigate();
  return useCallback(
    (hit) => {
      if (hit.kind === "memory") void navigate({ to: "/memory", search: { id: hit.row.id } });
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
export function DocumentItem({ hit, onSelect }: { hit: ShownHit; onSelect(): void }) {
  return (
    <Command.Item
      value={documentKey(hit)}
      onSelect={onSelect}
      className="flex gap-3 rounded-sm px-2 py-2 data-[selected=true]:bg-accent-wash"
    >
      {hit.kind === "memory" ? (
        <TierIcon scope={hit.row.scope} size={15} className="mt-1" />
      ) : (
        <MessageSquareText size={15} strokeWidth={1.75} className="mt-1 shrink-0 text-ink-3" aria-hidden />
      )}
      <div className="min-w-0 flex-1">
        {hit.kind === "memory" ? <Memory hit={hit} /> : <FoundMessage hit={hit} />}
      </div>
    </Command.Item>
  );
}

type Of<K extends ShownHit["kind"]> = Extract<ShownHit, { kind: K }>;

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
