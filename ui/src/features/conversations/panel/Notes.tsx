import { useQuery } from "@tanstack/react-query";
import { Answer, PanelEmpty } from "../../../components/Panel";
import { WorkingNote } from "../../../components/WorkingNote";
import { useI18n } from "../../../i18n/i18n";
import { notesQuery } from "../../../ipc/queries";

/** The agent's scratchpad of this conversation. To be read, not written. */
export function Notes({ refCode }: { refCode: string }) {
  const { t } = useI18n();
  const query = useQuery(notesQuery(refCode));
  return (
    <Answer query={query}>
      {(notes) =>
        notes.length === 0 ? (
          <PanelEmpty title={t("note.none")} body={t("note.noneBody")} />
        ) : (
          <ul className="divide-y divide-line">
            {notes.map((note) => (
              <li key={note.key} className="py-3 first:pt-0">
                <WorkingNote note={note} />
              </li>
            ))}
          </ul>
        )
      }
    </Answer>
  );
}
