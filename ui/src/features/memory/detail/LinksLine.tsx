import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { KindIcon } from "../../../components/SubjectKind";
import { useI18n } from "../../../i18n/i18n";
import type { MemoryDetail } from "../../../ipc/bindings.gen";
import { subjectsQuery } from "../../../ipc/queries";

/** The subjects that a memory is linked to, each a link to its page. */
export function LinksLine({ detail: { links, relation } }: { detail: MemoryDetail }) {
  const { t } = useI18n();
  const rows = useQuery(subjectsQuery).data?.rows.filter((row) => links.includes(row.id)) ?? [];
  if (rows.length === 0) return null;
  return (
    <p className="mt-4 flex flex-wrap items-center gap-x-3 text-ui text-ink-2">
      <span>{relation === null ? t("links.about") : t("links.relation", { relation })}</span>
      {rows.map((row) => (
        <Link
          key={row.id}
          to="/world"
          search={{ id: row.id }}
          className="inline-flex min-h-6 items-center gap-1.5 rounded-sm text-accent hover:underline"
        >
          <KindIcon kind={row.kind} size={13} />
          {row.name}
        </Link>
      ))}
    </p>
  );
}
