import { Button } from "../../components/Button";
import { LazyEditor } from "../../components/LazyEditor";
import { TwoVersions } from "../../components/TwoVersions";
import { useI18n } from "../../i18n/i18n";
import type { MemoryDetail, NamedEntryView } from "../../ipc/bindings.gen";
import { type Draft, setMerged } from "./drafts";
import { useNamedWrites } from "./useNamedWrites";

type StaleProps = { entry: NamedEntryView; draft: Draft; theirs: MemoryDetail; readOnly: boolean };

/** Somebody wrote meanwhile. Both versions are here, and whichever is chosen, the other stays in the history. */
export function Stale({ entry, draft, theirs, readOnly }: StaleProps) {
  const { t, relative } = useI18n();
  const writes = useNamedWrites();
  const { version, updatedAt } = theirs.row;
  const { merged } = draft;
  return (
    <section aria-labelledby="stale-title" className="appear @container">
      <h3 id="stale-title" className="text-title font-strong text-ink">
        {t("named.conflict.title", { name: entry.name })}
      </h3>
      <p role="alert" className="mt-1 mb-5 max-w-prose text-ui text-ink-2">
        {t("conflict.body", { when: relative(updatedAt), who: t(`actorKind.${theirs.writtenBy}`) })}
      </p>
      <TwoVersions mine={draft.content} theirs={theirs.content} version={version} />
      {merged === null ? (
        <div className="mt-4 flex flex-wrap gap-2">
          <Button
            look="primary"
            disabled={readOnly}
            onClick={() => void writes.keepMine(entry.id, theirs, draft.content)}
          >
            {t("conflict.keepMine")}
          </Button>
          <Button disabled={readOnly} onClick={() => void writes.keepTheirs(entry.id, theirs)}>
            {t("conflict.keepTheirs")}
          </Button>
          <Button disabled={readOnly} onClick={() => setMerged(entry.id, draft.content)}>
            {t("conflict.merge")}
          </Button>
        </div>
      ) : (
        <div className="mt-6">
          <h4 className="mb-2 text-ui text-ink-2">{t("conflict.mergeTitle")}</h4>
          <div className="rounded-md border border-line-strong bg-raised p-4">
            <LazyEditor
              label={t("conflict.mergeTitle")}
              value={merged}
              onChange={(text) => setMerged(entry.id, text)}
              autoFocus
            />
          </div>
          <div className="mt-4 flex gap-2">
            <Button
              look="primary"
              disabled={readOnly}
              onClick={() => void writes.keepMine(entry.id, theirs, merged)}
            >
              {t("conflict.mergeSave")}
            </Button>
            <Button look="ghost" onClick={() => setMerged(entry.id, null)}>
              {t("action.back")}
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}
