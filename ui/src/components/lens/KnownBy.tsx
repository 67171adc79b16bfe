import { Link } from "@tanstack/react-router";
import { Eye } from "lucide-react";
import { useState } from "react";
import { useI18n } from "../../i18n/i18n";
import type { KnowerView, MemoryDetail } from "../../ipc/bindings.gen";
import { Button } from "../Button";
import { KnownByDialog } from "./KnownByDialog";
import { useLensText } from "./useLensText";
import { useSomebody } from "./useSomebody";

/** Who knows of an entry, with a way to set it. Nothing where nobody could be named. */
export function KnownBy({ detail, readOnly }: { detail: MemoryDetail; readOnly: boolean }) {
  const { t } = useI18n();
  const [editing, setEditing] = useState(false);
  const somebody = useSomebody(detail.row.id);
  const { row, knownBy, isCalendar } = detail;
  if (row.scope === "account" || row.kind !== "note" || isCalendar) return null;
  const isLocked = readOnly || row.forgottenAt !== null;
  const isSet = knownBy.length > 0;
  // Without anybody to name there is nothing to say on every memory.
  if (!isSet && (isLocked || !somebody)) return null;
  return (
    <div className="flex items-start gap-x-3 text-ui">
      <span className="flex h-8 shrink-0 items-center text-ink-3">
        <Eye size={15} strokeWidth={1.75} aria-hidden />
      </span>
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
export function Knowers({ knowers }: { knowers: readonly KnowerView[] }) {
  const { t } = useI18n();
  const { nameOf } = useLensText();
  return (
    <>
      <span className="text-ink-2">{t("knownBy.only")}</span>
      {knowers.map(({ id, name, since }) => (
        <span key={id} className="inline-flex min-h-8 min-w-0 flex-wrap items-center gap-x-1 text-ink-2">
          <Link
            to="/world"
            search={{ id }}
            className="inline-flex min-h-6 items-center rounded-sm text-accent hover:underline"
          >
            {nameOf(id, name)}
          </Link>
          {since !== null && <span>{t("knownBy.since", { at: since })}</span>}
        </span>
      ))}
    </>
  );
}
