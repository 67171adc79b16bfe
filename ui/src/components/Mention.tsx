import { Link } from "@tanstack/react-router";
import type { MentionHit } from "../ipc/queries";
import { FoundMessage } from "./FoundMessage";
import { Highlight } from "./Highlight";
import { MemoryLink } from "./MemoryLink";
import { plain } from "./plain";

/** A memory or message in which a name stands, as a link to it. */
export function Mention({ hit }: { hit: MentionHit }) {
  if (hit.kind === "message")
    return (
      <Link
        to="/conversations/$ref"
        params={{ ref: hit.conversation.refCode }}
        search={{ at: hit.message.position }}
        className="block rounded-sm hover:[&_p:first-child]:text-accent"
      >
        <FoundMessage hit={hit} className="mt-1" />
      </Link>
    );
  return (
    <MemoryLink row={hit.row}>
      <Highlight {...plain(hit.snippet, hit.spans)} />
    </MemoryLink>
  );
}
