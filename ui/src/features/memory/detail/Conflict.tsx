import type { ReactNode } from "react";
import { Button } from "../../../components/Button";
import { LazyEditor } from "../../../components/LazyEditor";
import { WordDiff } from "../../../components/WordDiff";
import { useI18n } from "../../../i18n/i18n";
import type { MemoryDetail } from "../../../ipc/bindings.gen";
import { getDraft, setDraft, useDraft } from "../drafts";
import { useWrites } from "../useWrites";

type ConflictProps = { id: string; mine: string; theirs: MemoryDetail; readOnly: boolean };

/** Both versions side by side. Whatever is chosen, the other stays in the history. */
export function Conflict({ id, mine, theirs, readOnly }: ConflictProps) {
  const { t, relative } = useI18n();
  const writes = useWrites();
  const merged = useDraft(id)?.merged ?? null;
  const setMerged = (text: string | null) => {
    const draft = getDraft(id);
    if (draft) setDraft(id, { ...draft, merged: text });
  };
  const { version, updatedAt } = theirs.row;
  return (
    <section aria-labelledby="conflict-title" className="appear">
      <h2 id="conflict-title" className="text-title font-strong text-ink">
        {t("conflict.title")}
      </h2>
      <p role="alert" className="mt-1 mb-5 max-w-prose text-ui text-ink-2">
        {t("conflict.body", { when: relative(updatedAt), who: t(`hand.${theirs.writtenBy}`) })}
      </p>
      <div className="grid gap-px overflow-hidden rounded-md border border-line bg-line @2xl:grid-cols-2">
        <Side title={t("conflict.mine")} note={t("conflict.mineNote")}>
          <p className="memory-prose text-snippet! whitespace-pre-wrap">{mine}</p>
        </Side>
        <Side title={t("conflict.theirs")} note={t("conflict.theirsNote", { version })}>
          <WordDiff before={mine} after={theirs.content} />
        </Side>
      </div>
      {merged === null ? (
        <div className="mt-4 flex flex-wrap gap-2">
          <Button
            look="primary"
            disabled={readOnly}
            onClick={() => void writes.saveContent(id, version, mine)}
          >
            {t("conflict.keepMine")}
          </Button>
          <Button disabled={readOnly} onClick={() => void writes.keepTheirs(id, theirs, mine)}>
            {t("conflict.keepTheirs")}
          </Button>
          <Button disabled={readOnly} onClick={() => setMerged(mine)}>
            {t("conflict.merge")}
          </Button>
        </div>
      ) : (
        <div className="mt-6">
          <h3 className="mb-2 text-ui text-ink-2">{t("conflict.mergeTitle")}</h3>
          <div className="rounded-md border border-line-strong bg-raised p-4">
            <LazyEditor label={t("conflict.mergeTitle")} value={merged} onChange={setMerged} autoFocus />
          </div>
          <div className="mt-4 flex gap-2">
            <Button
              look="primary"
              disabled={readOnly || merged.trim() === ""}
              onClick={() => void writes.saveContent(id, version, merged)}
            >
              {t("conflict.mergeSave")}
            </Button>
            <Button look="quiet" onClick={() => setMerged(null)}>
              {t("action.back")}
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}

function Side({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <div className="bg-paper p-4">
      <h3 className="mb-3 flex justify-between text-ui text-ink">
        {title}
        <span className="text-meta text-ink-3">{note}</span>
      </h3>
      {children}
    </div>
  );
}
