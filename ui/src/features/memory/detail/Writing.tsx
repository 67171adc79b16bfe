import { clsx } from "clsx";
import { useState } from "react";
import { Button } from "../../../components/Button";
import { ShortcutKeys } from "../../../components/Keys";
import { LazyEditor } from "../../../components/LazyEditor";
import { Markdown } from "../../../components/Markdown";
import { Names } from "../../../components/names/Names";
import { useI18n } from "../../../i18n/i18n";
import type { LensSpec } from "../../../ipc/bindings.gen";
import type { Draft } from "../drafts";
import { useTextProblem } from "../useTextProblem";

type WritingProps = {
  draft: Draft;
  /** Whose knowledge the memory is read with. */
  lens: LensSpec | null;
  /** The memory itself. */
  own: string;
  /** Somebody else saved another version since this edit began. */
  changed: boolean;
  saving: boolean;
  readOnly: boolean;
  onChange(text: string): void;
  onSave(): void;
  onLeave(): void;
};

export function Writing(props: WritingProps) {
  const { draft, lens, own, changed, saving, readOnly, onChange, onSave, onLeave } = props;
  const { t } = useI18n();
  const [preview, setPreview] = useState(false);
  const problem = useTextProblem(draft.content);
  return (
    <div>
      {preview ? (
        <Names lens={lens} own={own} tabbable>
          <Markdown text={draft.content} />
        </Names>
      ) : (
        <LazyEditor
          label={t("edit.label")}
          lens={lens}
          value={draft.content}
          onChange={onChange}
          onSave={onSave}
          onEscape={onLeave}
          autoFocus
        />
      )}
      <div className="sticky bottom-0 z-10 mt-6 flex items-center gap-2 border-t border-line bg-paper py-3">
        <Button look="primary" disabled={saving || readOnly || problem !== null} onClick={onSave}>
          {t("edit.save")}
        </Button>
        <Button look="ghost" onClick={onLeave}>
          {t("action.cancel")}
        </Button>
        <ShortcutKeys id="edit.save" />
        {/* Two lines as high as the buttons: nothing moves under a pointer that is about to press one. */}
        <span
          role="status"
          className={clsx(
            "ml-auto line-clamp-2 min-w-0 text-balance text-right text-meta leading-4",
            problem ? "text-danger" : changed ? "text-warn" : "text-ink-3",
          )}
          title={changed && !problem ? undefined : t("edit.kept")}
        >
          {problem ?? t(changed ? "edit.changedUnder" : "edit.unsaved")}
        </span>
        <Button look="ghost" aria-pressed={preview} onClick={() => setPreview(!preview)}>
          {t(preview ? "edit.write" : "edit.preview")}
        </Button>
      </div>
    </div>
  );
}
