import type { ReactNode } from "react";
import { useI18n } from "../i18n/i18n";
import { WordDiff } from "./WordDiff";

type TwoVersionsProps = { mine: string; theirs: string; version: number };

/** What was written here and what was written elsewhere meanwhile, side by side. */
export function TwoVersions({ mine, theirs, version }: TwoVersionsProps) {
  const { t } = useI18n();
  return (
    <div className="grid gap-px overflow-hidden rounded-md border border-line bg-line @2xl:grid-cols-2">
      <Side title={t("conflict.mine")} note={t("conflict.mineNote")}>
        <p className="memory-prose text-snippet! whitespace-pre-wrap">{mine}</p>
      </Side>
      <Side title={t("conflict.theirs")} note={t("conflict.theirsNote", { version })}>
        <WordDiff before={mine} after={theirs} />
      </Side>
    </div>
  );
}

export function Side({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0 bg-paper p-4">
      <h3 className="mb-3 flex items-baseline justify-between gap-3 text-ui text-ink">
        {title}
        {note && <span className="text-meta text-ink-3">{note}</span>}
      </h3>
      {children}
    </div>
  );
}
