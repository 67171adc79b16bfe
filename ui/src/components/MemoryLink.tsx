import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useI18n } from "../i18n/i18n";
import type { MemoryRow } from "../ipc/bindings.gen";
import { plain } from "./plain";
import { TierIcon } from "./Tier";

/** A memory by its first words, or by those that are given. */
export function MemoryLink({ row, children }: { row: MemoryRow; children?: ReactNode }) {
  const { t } = useI18n();
  return (
    <Link
      to="/memory"
      search={{ id: row.id }}
      className="flex min-h-6 gap-2 rounded-sm text-ink hover:text-accent"
    >
      <TierIcon scope={row.scope} className="mt-1" />
      <span className="sr-only">{t(`tier.${row.scope}`)}: </span>
      <span className="line-clamp-2 font-serif text-snippet wrap-anywhere">
        {children ?? plain(row.preview, [], row.name ?? row.title).text}
      </span>
    </Link>
  );
}
