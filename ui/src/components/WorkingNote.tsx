import { NotebookPen } from "lucide-react";
import type { ReactNode } from "react";
import { useI18n } from "../i18n/i18n";
import type { NoteView } from "../ipc/bindings.gen";
import { Time } from "./Time";

function pretty(value: string): string {
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === "string" ? parsed : JSON.stringify(parsed, null, 2);
  } catch {
    return value;
  }
}

/** A note of the agent's scratchpad: to be read, not written. */
export function WorkingNote({ note, children }: { note: NoteView; children?: ReactNode }) {
  const { t, relative, exact } = useI18n();
  return (
    <article>
      <p className="text-ui wrap-anywhere text-ink">{note.key}</p>
      <p className="mt-0.5 flex min-h-5 flex-wrap items-center gap-x-2 text-meta text-ink-3">
        <span className="fc-border inline-flex h-5 items-center gap-1 rounded-sm bg-sunken px-1.5 whitespace-nowrap text-ink-2">
          <NotebookPen size={11} aria-hidden />
          {t("note.badge")}
        </span>
        {note.expiresAt ? (
          <span title={exact(note.expiresAt)}>{t("note.expires", { when: relative(note.expiresAt) })}</span>
        ) : (
          <Time iso={note.updatedAt} />
        )}
      </p>
      <pre className="mt-2 max-h-60 overflow-y-auto font-mono text-meta whitespace-pre-wrap wrap-anywhere text-ink-2 select-text">
        {pretty(note.value)}
      </pre>
      {children}
    </article>
  );
}
