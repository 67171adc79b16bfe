import { useI18n } from "../i18n/i18n";
import type { PageHit } from "../ipc/bindings.gen";
import { Highlight } from "./Highlight";
import { plain } from "./plain";
import { Time } from "./Time";
import { visible } from "./visible";

/** A page that a search found: its title, the words that were found, and where its file is. */
export function FoundPage({ hit }: { hit: PageHit }) {
  const { t } = useI18n();
  const { page } = hit;
  return (
    <>
      <p className="line-clamp-2 font-serif text-snippet wrap-anywhere text-ink">
        <span className="font-[600]">{visible(page.title)}. </span>
        <Highlight {...plain(hit.snippet, hit.spans, page.title)} />
      </p>
      <p className="flex gap-2 text-meta whitespace-nowrap text-ink-3">
        <span className="shrink-0">{t("vault.kind")}</span>
        <span aria-hidden>·</span>
        <span className="min-w-0 truncate">{visible(page.path)}</span>
        {hit.heading !== "" && (
          <>
            <span aria-hidden>·</span>
            <span className="min-w-0 truncate">{visible(hit.heading)}</span>
          </>
        )}
        <Time iso={page.modifiedAt} className="ml-auto shrink-0" />
      </p>
    </>
  );
}
