import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Eye } from "lucide-react";
import { useState } from "react";
import { useI18n } from "../../i18n/i18n";
import type { KnowerView, MemoryDetail } from "../../ipc/bindings.gen";
import { subjectsQuery } from "../../ipc/queries";
import { Button } from "../Button";
import { KnownByDialog } from "./KnownByDialog";
import { useLensText } from "./useLensText";

/** Who knows of an entry, with a way to set it. Nothing where nobody could be named. */
export function KnownBy({ detail, readOnly }: { detail: MemoryDetail; readOnly: boolean }) {
  const { t } = useI18n();
  const [editing, setEditing] = useState(false);
  const hasSubjects = (useQuery(subjectsQuery).data?.rows.length ?? 0) > 0;
  const { row, knownBy, isCalendar } = detail;
  if (row.scope === "account" || row.kind !== "note" || isCalendar) return null;
  const isLocked = readOnly || row.forgottenAt !== null;
  const isSet = knownBy.length > 0;
  // In a world without subjects there is nobody to name, and nothing to say on every memory.
  if (!isSet && (isLocked || !hasSubjects)) return null;
  return (
    <div className="flex min-h-8 items-start gap-x-3 text-ui">
      <Eye size={15} strokeWidth={1.75} className="mt-2 shrink-0 text-ink-3" aria-hidden />
      <div className="flex min-w-0 flex-wrap items-center gap-x-3">
        {isSet ? <Knowers knowers={knownBy} /> : <span className="text-ink-2">{t("knownBy.everybody")}</span>}
        {!isLocked && (
          <Button
            look="ghost"
            aria-label={isSet ? t("knownBy.changeLabel") : undefined}
            onClick={() => setEditing(true)}
          >
            {t(isSet ? "knownBy.change" : "knownBy.set")}
          </Button>
        )}
      </div>
      {editing && <KnownByDialog detail={detail} onClose={() => setEditing(false)} />}
    </div>
  );
}

/** Each a link to its page, with the time since when. */
function Knowers({ knowers }: { knowers: readonly KnowerView[] }) {
  const { t } = useI18n();
  const { nameOf } = useLensText();
  return (
    <>
      <span className="text-ink-2">{t("knownBy.only")}</span>
      {knowers.map(({ id, name, since }) => (
        <span key={id} className="min-w-0 py-1.5 wrap-anywhere text-ink-2">
          <Link
            to="/world"
            search={{ id }}
            className="inline-flex min-h-6 items-center rounded-sm text-accent hover:underline"
          >
            {nameOf(id, name)}
          </Link>
          {since !== null && ` ${t("knownBy.since", { at: since })}`}
        </span>
      ))}
    </>
  );
}
