import { useQuery } from "@tanstack/react-query";
import { MemoryLink } from "../../../components/MemoryLink";
import { Mention } from "../../../components/Mention";
import { useI18n } from "../../../i18n/i18n";
import type { MemoryRow, SubjectView } from "../../../ipc/bindings.gen";
import { mentionsQuery } from "../../../ipc/queries";

/** Memories that are about a subject, what it knows that not everybody does, and every other place in which its name stands. */
export function Mentions({ subject: { row, relations, about, knows } }: { subject: SubjectView }) {
  const { t } = useI18n();
  const query = useQuery(mentionsQuery(row.name));
  const shown = new Set([row.id, ...relations.map((it) => it.id), ...about.map((it) => it.id)]);
  const hits = query.data?.hits.filter((hit) => hit.kind === "message" || !shown.has(hit.row.id));
  return (
    <>
      {about.length > 0 && <Memories id="about" title={t("about.title")} rows={about} />}
      {knows.length > 0 && <Memories id="knows" title={t("knows.title")} rows={knows} />}
      <section aria-labelledby="mentions" className="mt-8 border-t border-line pt-6">
        <h3 id="mentions" className="flex h-8 items-center text-title font-strong text-ink">
          {t("mention.title")}
        </h3>
        {hits?.length === 0 && <p className="mt-2 text-ui text-ink-2">{t("mention.none")}</p>}
        <ul className="mt-1">
          {hits?.map((hit) => (
            <li
              key={hit.kind === "memory" ? hit.row.id : hit.message.id}
              className="border-b border-line py-2 last:border-b-0"
            >
              <Mention hit={hit} />
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

type MemoriesProps = { id: string; title: string; rows: readonly MemoryRow[] };

function Memories({ id, title, rows }: MemoriesProps) {
  return (
    <section aria-labelledby={id} className="mt-8 border-t border-line pt-6">
      <h3 id={id} className="flex h-8 items-center text-title font-strong text-ink">
        {title}
      </h3>
      <ul className="mt-1">
        {rows.map((row) => (
          <li key={row.id} className="border-b border-line py-2 last:border-b-0">
            <MemoryLink row={row} />
          </li>
        ))}
      </ul>
    </section>
  );
}
