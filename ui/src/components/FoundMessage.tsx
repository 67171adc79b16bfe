import { clsx } from "clsx";
import { useI18n } from "../i18n/i18n";
import type { MessageHit } from "../ipc/bindings.gen";
import { Highlight } from "./Highlight";
import { plain } from "./plain";
import { Time } from "./Time";

/** A message that a search found: its words, who said them where, and when. */
export function FoundMessage({ hit, className }: { hit: MessageHit; className?: string }) {
  const { t } = useI18n();
  const { message, conversation } = hit;
  return (
    <>
      <p className="line-clamp-2 font-serif text-snippet wrap-anywhere text-ink">
        <Highlight {...plain(hit.snippet, hit.spans)} />
      </p>
      <p className={clsx("flex gap-2 text-meta whitespace-nowrap text-ink-3", className)}>
        <span className="shrink-0">
          {message.speaker ?? t(message.role === "user" ? "conversation.you" : "conversation.agent")}
        </span>
        <span aria-hidden>·</span>
        <span className="min-w-0 truncate">
          {conversation.title === "" ? t("conversation.untitled") : conversation.title}
        </span>
        {hit.showsPassage && <span className="shrink-0 text-accent">{t("search.passage")}</span>}
        <Time iso={message.at} className="ml-auto shrink-0" />
      </p>
    </>
  );
}
