import { FileText, MessageSquareText } from "lucide-react";
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

/** A document that was found: its words, and where it stands. */
export function DocumentBody({ hit }: { hit: DocumentHit }) {
  if (hit.kind === "memory") return <Memory hit={hit} />;
  return hit.kind === "page" ? <FoundPage hit={hit} /> : <FoundMessage hit={hit} />;
}

export function DocumentIcon({ hit }: { hit: DocumentHit }) {
  if (hit.kind === "memory") return <TierIcon scope={hit.row.scope} size={15} />;
  const Icon = hit.kind === "page" ? FileText : MessageSquareText;
  return <Icon size={15} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />;
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
