import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Button } from "../../components/Button";
import { Empty, Failed } from "../../components/States";
import { ROW, Table } from "../../components/Table";
import { useI18n } from "../../i18n/i18n";
import { chaptersQuery } from "../../ipc/queries";

/** Chapters and sessions in the order of reading. */
export function ChaptersPane() {
  const { t, number } = useI18n();
  const navigate = useNavigate();
  const query = useQuery(chaptersQuery);
  const rows = query.data;
  if (!rows) return query.error && <Failed error={query.error} onRetry={() => void query.refetch()} />;
  if (rows.length === 0)
    return (
      <div className="flex flex-1 items-center justify-center overflow-y-auto">
        <Empty title={t("chapters.none.title")} body={t("chapters.none.body")}>
          <Button onClick={() => void navigate({ to: "/world", search: {} })}>{t("command.goWorld")}</Button>
        </Empty>
      </div>
    );
  return (
    <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
      <div className="mx-auto max-w-270 px-8 pt-6 pb-20">
        <p className="max-w-[60ch] text-lead text-pretty text-ink-2">{t("chapters.body")}</p>
        <Table
          caption={t("timeline.tab.chapters")}
          className="mt-6 w-full"
          columns={[
            { label: t("chapters.number"), width: "w-16", end: true },
            { label: t("chapters.name") },
            { label: t("chapters.time"), width: "w-[40%]" },
          ]}
        >
          {rows.map(({ row, time, readingNumber, flashback }) => (
            <tr key={row.id} className={ROW}>
              <td className="text-right text-ink-2">{number(readingNumber ?? 0)}</td>
              <td>
                <Link
                  to="/world"
                  search={{ id: row.id }}
                  className="text-ink hover:text-accent hover:underline"
                >
                  {row.name ?? row.preview}
                </Link>
                {flashback && <span className="ml-2 text-meta text-ink-2">{t("chapters.flashback")}</span>}
              </td>
              <td className="text-ink-2">{time?.text ?? t("chapters.noTime")}</td>
            </tr>
          ))}
        </Table>
      </div>
    </div>
  );
}
