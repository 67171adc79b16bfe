import { useState } from "react";
import { Button } from "../../../components/Button";
import { ShareSlider } from "../../../components/Fields";
import { Modal } from "../../../components/Modal";
import { useI18n } from "../../../i18n/i18n";

type ImportanceDialogProps = {
  open: boolean;
  count: number;
  onClose(): void;
  onApply(importance: number): void;
};

export function ImportanceDialog({ open, count, onClose, onApply }: ImportanceDialogProps) {
  const { t, number } = useI18n();
  const [importance, setImportance] = useState(0.5);
  return (
    <Modal open={open} onClose={onClose} title={t("bulk.importanceTitle", { count })}>
      <div className="flex items-center gap-3">
        <ShareSlider label={t("prop.importance")} value={importance} onChange={setImportance} />
        <output className="tabular w-8 text-right text-ui text-ink">
          {number(importance, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}
        </output>
      </div>
      <div className="mt-6 flex justify-end gap-2">
        <Button onClick={onClose}>{t("action.cancel")}</Button>
        <Button look="primary" onClick={() => onApply(importance)}>
          {t("bulk.tagDo")}
        </Button>
      </div>
    </Modal>
  );
}
