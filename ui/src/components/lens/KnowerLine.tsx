import { X } from "lucide-react";
import { useId } from "react";
import { useI18n } from "../../i18n/i18n";
import type { LensView } from "../../ipc/bindings.gen";
import { IconButton } from "../Button";
import { INPUT } from "../Fields";
import { Reading } from "./Reading";
import { useLensText } from "./useLensText";

/** Somebody who knows, with the time as it is typed and as it was, and the id of the chapter that it was. */
export type Line = { id: string; name: string; since: string; was: string; wasChapter: string | null };

type KnowerLineProps = {
  line: Line;
  /** The id of what says how a time is written. */
  hint: string;
  view: LensView | null;
  problem: string | null;
  onSince(text: string): void;
  onRemove(): void;
};

export function KnowerLine({ line, hint, view, problem, onSince, onRemove }: KnowerLineProps) {
  const { t } = useI18n();
  const id = useId();
  const name = useLensText().nameOf(line.id, line.name);
  return (
    <li>
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate text-lead text-ink" title={name}>
          {name}
        </span>
        <input
          aria-label={t("knownBy.whenOf", { name })}
          aria-invalid={problem ? true : undefined}
          aria-describedby={`${problem ? `${id} ` : ""}${hint}`}
          placeholder={t("knownBy.always")}
          value={line.since}
          maxLength={1000}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onSince(event.target.value)}
          className={`${INPUT} w-42!`}
        />
        <IconButton label={t("knownBy.remove", { name })} onClick={onRemove}>
          <X size={14} aria-hidden />
        </IconButton>
      </div>
      {/* What nobody changed needs no second reading. */}
      <div className="ml-auto w-52">
        <Reading id={id} view={line.since === line.was ? null : view} problem={problem} />
      </div>
    </li>
  );
}
