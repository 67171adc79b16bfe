import { useRef } from "react";
import { Button } from "../../components/Button";
import { Modal } from "../../components/Modal";
import { useI18n } from "../../i18n/i18n";

type DropChoiceProps = { count: number; onAttach(): void; onImport(): void; onClose(): void };

/** Files were dropped where a message is written: they can go with it, or one of them can be imported. */
export function DropChoice({ count, onAttach, onImport, onClose }: DropChoiceProps) {
  const { t } = useI18n();
  const attach = useRef<HTMLButtonElement>(null);
  return (
    <Modal
      open
      onClose={onClose}
      title={t("transfer.choose", { count })}
      body={t("transfer.chooseBody")}
      initialFocus={attach}
    >
      <div className="flex flex-wrap justify-end gap-2">
        <Button className="mr-auto" onClick={onClose}>
          {t("action.cancel")}
        </Button>
        <Button onClick={onImport}>{t("transfer.chooseImport")}</Button>
        <Button ref={attach} look="primary" onClick={onAttach}>
          {t("transfer.chooseAttach")}
        </Button>
      </div>
    </Modal>
  );
}
