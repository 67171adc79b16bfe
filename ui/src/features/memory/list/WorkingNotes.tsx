import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { useConversationName } from "../../../components/useConversationName";
import { WorkingNote } from "../../../components/WorkingNote";
import { useI18n } from "../../../i18n/i18n";
import { notesQuery } from "../../../ipc/queries";

/** The agent's working notes above the memories of the conversation tier: to be read, not written. */
export function WorkingNotes({ conversation }: { conversation: string | undefined }) {
  const { t, number } = useI18n();
  const { data = [] } = useQuery(notesQuery(conversation ?? null));
  const [open, setOpen] = useState(true);
  if (data.length === 0) return null;
  return (
    <section aria-label={t("note.list")} className="border-b border-line">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="focus-inset flex h-9 w-full items-center gap-2 px-4 text-left text-meta text-ink-2 hover:bg-hover"
      >
        <ChevronRight
          size={14}
          className={`shrink-0 text-ink-3 transition-transform ${open ? "rotate-90" : ""}`}
          aria-hidden
        />
        {t("note.list")}
        <span className="tabular text-ink-3">{number(data.length)}</span>
      </button>
      {open && (
        <ul
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached from the keyboard
          tabIndex={0}
          aria-label={t("note.list")}
          className="focus-inset max-h-[30vh] overflow-y-auto pb-2"
        >
          {data.map((note) => (
            <li key={`${note.conversationId}:${note.key}`} className="py-2 pr-4 pl-10">
              <WorkingNote note={note}>
                {conversation === undefined && <ToConversation conversation={note.conversationRef} />}
              </WorkingNote>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function ToConversation({ conversation }: { conversation: string }) {
  const { t } = useI18n();
  const name = useConversationName(conversation);
  return (
    <Link
      to="/conversations/$ref"
      params={{ ref: conversation }}
      search={{ tab: "notes" }}
      className="inline-flex min-h-6 items-center rounded-sm text-meta text-accent hover:underline"
    >
      {t("note.open", { name })}
    </Link>
  );
}
