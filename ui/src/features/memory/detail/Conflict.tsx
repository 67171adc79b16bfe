import { Button } from "../../../components/Button";
import { LazyEditor } from "../../../components/LazyEditor";
import { TwoVersions } from "../../../components/TwoVersions";
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
        {t("conflict.body", { when: relative(updatedAt), who: t(`actorKind.${theirs.writtenBy}`) })}
      </p>
      <TwoVersions mine={mine} theirs={theirs.content} version={version} />
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
            <Button look="ghost" onClick={() => setMerged(null)}>
              {t("action.back")}
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}
