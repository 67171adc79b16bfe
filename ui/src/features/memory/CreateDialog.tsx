import { memo, useState } from "react";
import { Button } from "../../components/Button";
import { INPUT, ShareSlider } from "../../components/Fields";
import { LazyEditor } from "../../components/LazyEditor";
import { Modal } from "../../components/Modal";
import { isPlaced, PlaceFields, placeOf } from "../../components/PlaceFields";
import { Select } from "../../components/Select";
import { TagInput } from "../../components/TagInput";
import { useToasts } from "../../components/toast";
import { useI18n } from "../../i18n/i18n";
import { LIFETIMES } from "./list/BulkBar";
import { type NewDraft, newDraftOf, setNewDraft, settleNewDraft, useNewDraft } from "./newDrafts";
import { useTextProblem } from "./useTextProblem";
import { useWrites } from "./useWrites";

type CreateProps = {
  open: boolean;
  world: string;
  onClose(): void;
  onCreated(id: string): void;
};

export const CreateDialog = memo(function CreateDialog({ open, world, onClose, onCreated }: CreateProps) {
  const { t, number } = useI18n();
  const { failed } = useToasts();
  const writes = useWrites();
  const draft = useNewDraft(world);
  const [busy, setBusy] = useState(false);
  const problem = useTextProblem(draft.content);
  const set = (patch: Partial<NewDraft>) => setNewDraft(world, { ...newDraftOf(world), ...patch });
  const homeless = !isPlaced(draft);
  // What belongs to one conversation matters as long as that does.
  const lifetime = draft.scope === "conversation" ? "conversation" : draft.lifetime;

  const save = async () => {
    if (problem || busy || homeless) return;
    setBusy(true);
    try {
      const { title, content, importance, tags } = draft;
      const created = await writes.create({
        ...placeOf(draft),
        lifetime,
        title: title.trim() === "" ? null : title,
        keys: [],
        content,
        importance,
        tags,
      });
      if (settleNewDraft(world, draft)) onCreated(created.row.id);
    } catch (error) {
      failed(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Modal open={open} onClose={onClose} title={t("create.title")} wide>
      <div className="max-h-[36vh] min-h-40 overflow-y-auto rounded-md border border-line-strong bg-paper px-4 py-3 focus-within:border-accent focus-within:outline-1 focus-within:outline-accent">
        <LazyEditor
          label={t("edit.label")}
          placeholder={t("create.placeholder")}
          value={draft.content}
          onChange={(content) => set({ content })}
          onSave={() => void save()}
          autoFocus
        />
      </div>
      <div className="mt-5 grid grid-cols-[6rem_minmax(0,1fr)] items-center gap-x-4 gap-y-3">
        <span className="text-ui text-ink-2">{t("prop.name")}</span>
        <input
          value={draft.title}
          aria-label={t("prop.name")}
          placeholder={t("create.name")}
          maxLength={300}
          autoComplete="off"
          className={INPUT}
          onChange={(event) => set({ title: event.target.value })}
        />
        <span className="text-ui text-ink-2">{t("tier.label")}</span>
        <PlaceFields value={draft} onChange={set} />
        <span className="text-ui text-ink-2">{t("prop.importance")}</span>
        <div className="flex items-center gap-3">
          <ShareSlider
            label={t("prop.importance")}
            value={draft.importance}
            onChange={(importance) => set({ importance })}
          />
          <output className="tabular w-8 text-right text-ui text-ink">
            {number(draft.importance, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}
          </output>
        </div>
        <span className="text-ui text-ink-2">{t("lifetime.label")}</span>
        <div>
          <Select
            label={t("lifetime.label")}
            disabled={draft.scope === "conversation"}
            value={lifetime}
            onChange={(lifetime) => set({ lifetime })}
            options={LIFETIMES.filter(
              (it) => (it === "conversation") === (draft.scope === "conversation"),
            ).map((it) => ({
              value: it,
              label: t(`lifetime.${it}`),
            }))}
          />
        </div>
        <span className="text-ui text-ink-2">{t("prop.tags")}</span>
        <TagInput label={t("prop.tags")} tags={draft.tags} onChange={(tags) => set({ tags })} />
      </div>
      <div className="mt-6 flex items-center justify-end gap-2">
        <Button onClick={onClose}>{t("action.cancel")}</Button>
        <Button look="primary" disabled={busy || problem !== null || homeless} onClick={() => void save()}>
          {t("create.do")}
        </Button>
      </div>
    </Modal>
  );
});
