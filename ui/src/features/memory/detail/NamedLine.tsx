import { Link } from "@tanstack/react-router";
import { Quote } from "lucide-react";
import { useI18n } from "../../../i18n/i18n";
import type { MemoryDetail, MemoryRow } from "../../../ipc/bindings.gen";

/** Archives have names, too, but are no named entries. */
export const isNamed = (row: MemoryRow) =>
  row.name !== null && row.kind === "note" && row.forgottenAt === null;

/** That a memory is a named entry: its other names, and the page on which it is written. */
export function NamedLine({ detail: { row, aliases, subject } }: { detail: MemoryDetail }) {
  const { t, list } = useI18n();
  return (
    <p className="mt-4 flex flex-wrap items-center gap-x-2 text-ui text-ink-2">
      <Quote size={14} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />
      {aliases.length > 0 && (
        <>
          <span>{t("named.also", { aliases: list(aliases) })}</span>
          <span aria-hidden>·</span>
        </>
      )}
      <Link
        to={subject === null ? "/named" : "/world"}
        search={{ id: row.id }}
        className="inline-flex min-h-6 items-center rounded-sm text-accent hover:underline"
      >
        {t(subject === null ? "named.link" : "named.linkWorld")}
      </Link>
    </p>
  );
}
