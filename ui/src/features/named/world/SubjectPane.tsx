import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Activity } from "lucide-react";
import { type RefObject, useCallback } from "react";
import { KnownBy } from "../../../components/lens/KnownBy";
import { Failed } from "../../../components/States";
import { StoryTime } from "../../../components/StoryTime";
import { useI18n } from "../../../i18n/i18n";
import type { NamedEntryView } from "../../../ipc/bindings.gen";
import { subjectQuery } from "../../../ipc/queries";
import { EntryPane } from "../EntryPane";
import { KindSelect } from "./KindSelect";
import { Mentions } from "./Mentions";
import { PageLinks } from "./PageLinks";
import { Relations } from "./Relations";
import { useSubjectWrites } from "./useSubjectWrites";

type SubjectProps = {
  entry: NamedEntryView;
  readOnly: boolean;
  region: RefObject<HTMLElement | null>;
  onGone(): void;
  onLeave(): void;
};

/** A subject: its named entry, then what is linked to it and where it is mentioned. */
export function SubjectPane({ entry, readOnly, region, onGone, onLeave }: SubjectProps) {
  const { t } = useI18n();
  const query = useQuery(subjectQuery(entry.id));
  const writes = useSubjectWrites();
  const there = useCallback(() => {}, []);
  const subject = query.data;
  return (
    <EntryPane
      entry={entry}
      readOnly={readOnly}
      region={region}
      onThere={there}
      onRemoved={onGone}
      onLeave={onLeave}
      kind={
        <KindSelect
          kind={entry.subject}
          optional
          disabled={readOnly}
          onChange={(kind) => void writes.setKind(entry, kind)}
        />
      }
    >
      <div className="mt-10">
        {subject ? (
          <>
            <div className="mb-4">
              <StoryTime detail={subject.memory} readOnly={readOnly} />
              <KnownBy detail={subject.memory} readOnly={readOnly} />
            </div>
            <Relations
              row={subject.row}
              relations={subject.relations}
              more={subject.more}
              readOnly={readOnly}
            />
            <PageLinks
              title={t("world.pagesOf")}
              pages={subject.pages}
              className="mt-8 border-t border-line pt-5"
            />
            <Mentions subject={subject} />
            <p className="mt-8 border-t border-line pt-5">
              <Link
                to="/activity"
                search={{ page: "telemetry", part: "actions", target: entry.id }}
                className="-ml-3 inline-flex h-8 items-center gap-2 rounded-md px-3 text-ui text-ink-2 hover:bg-hover hover:text-ink"
              >
                <Activity size={14} aria-hidden />
                {t("telemetry.ofSubject")}
              </Link>
            </p>
          </>
        ) : (
          query.error && <Failed error={query.error} onRetry={() => void query.refetch()} />
        )}
      </div>
    </EntryPane>
  );
}
