import { useI18n } from "../../i18n/i18n";
import type { LensView } from "../../ipc/bindings.gen";

type ReadingProps = { id: string; view: LensView | null; problem: string | null };

/** How the core reads a time of the story that is typed, or why it does not. */
export function Reading({ id, view, problem }: ReadingProps) {
  const { t } = useI18n();
  const at = view?.at ?? null;
  return (
    <div id={id} aria-live="polite">
      {problem !== null ? (
        <p className="mt-1 text-meta text-danger">{problem}</p>
      ) : (
        at !== null && (
          <p className="mt-1 text-meta text-ink-2">
            {view?.chapterId ? t("lens.chapter", { name: at }) : at}
          </p>
        )
      )}
    </div>
  );
}
