import { Link } from "@tanstack/react-router";
import { useI18n } from "../../../i18n/i18n";
import type { ScrubManifest } from "../../../ipc/bindings.gen";
import { Sample } from "./Sample";

const LINK = "inline-flex min-h-6 items-center rounded-sm text-accent hover:underline";
/** How many memories are shown; the rest is counted. */
const SHOWN = 10;

/** Where else it stands: what says the same and stays, and the backups that hold it. */
export function AlsoFound({ manifest: { alsoFound, backups, leftovers } }: { manifest: ScrubManifest }) {
  const { t } = useI18n();
  const { conversations, facts, workingNotes, proposals, channels } = alsoFound;
  const memories = [...alsoFound.memories, ...alsoFound.accountMemories];
  const counted = facts + workingNotes + proposals + channels;
  const none = conversations.length + memories.length + counted === 0;
  if (none && backups.length === 0 && leftovers.length === 0) return null;
  return (
    <section aria-label={t("scrub.also")} className="mt-6">
      <h3 className="text-meta text-ink-2">{t("scrub.also")}</h3>
      <ul className="mt-1 border-l border-line pl-3 text-ui text-ink">
        {conversations.map((it) => (
          <li key={it.conversation} className="flex flex-wrap items-center gap-x-2 py-0.5">
            <Link to="/conversations/$ref" params={{ ref: it.refCode }} className={LINK}>
              {it.title || it.refCode}
            </Link>
            <span className="tabular text-meta text-ink-2">{t("scrub.also.said", { count: it.rows })}</span>
          </li>
        ))}
        {memories.slice(0, SHOWN).map((it) => (
          <li key={it} className="py-1">
            <Sample id={it} />
          </li>
        ))}
        {memories.length > SHOWN && (
          <li className="py-0.5 text-ink-2">{t("scrub.also.more", { count: memories.length - SHOWN })}</li>
        )}
        {facts > 0 && <li className="py-0.5">{t("scrub.also.facts", { count: facts })}</li>}
        {workingNotes > 0 && <li className="py-0.5">{t("scrub.also.notes", { count: workingNotes })}</li>}
        {proposals > 0 && <li className="py-0.5">{t("scrub.also.proposals", { count: proposals })}</li>}
        {channels > 0 && <li className="py-0.5">{t("scrub.also.channels", { count: channels })}</li>}
        {backups.length > 0 && (
          <li className="py-0.5">
            <Link to="/control" search={{ part: "backups" }} className={LINK}>
              {t("scrub.also.backups", { count: backups.length })}
            </Link>
          </li>
        )}
        {leftovers.length > 0 && (
          <li className="py-0.5">
            {t("scrub.also.leftovers", { count: leftovers.length })}
            {leftovers.map((path) => (
              <code key={path} className="block font-mono text-meta wrap-anywhere text-ink select-text">
                {path}
              </code>
            ))}
          </li>
        )}
      </ul>
    </section>
  );
}
