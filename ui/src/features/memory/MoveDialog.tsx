import { useState } from "react";
import { Button } from "../../components/Button";
import { Modal } from "../../components/Modal";
import { isPlaced, type PlaceDraft, PlaceFields, placeOf } from "../../components/PlaceFields";
import { useI18n } from "../../i18n/i18n";
import type { MoveTarget, Scope } from "../../ipc/bindings.gen";

type MoveDialogProps = {
  open: boolean;
  count: number;
  /** The tier that is shown first. */
  start?: Scope;
  onClose(): void;
  onMove(to: MoveTarget): void;
};

export function MoveDialog({ open, count, start = "workspace", onClose, onMove }: MoveDialogProps) {
  const { t } = useI18n();
  const [place, setPlace] = useState<PlaceDraft>({ scope: start, channel: null, conversation: null });
  return (
    <Modal open={open} onClose={onClose} title={t("move.title", { count })}>
      <PlaceFields value={place} onChange={(patch) => setPlace({ ...place, ...patch })} />
      <p className="mt-3 text-meta text-ink-2">{t("move.note")}</p>
      <div className="mt-6 flex justify-end gap-2">
        <Button onClick={onClose}>{t("action.cancel")}</Button>
        <Button look="primary" disabled={!isPlaced(place)} onClick={() => onMove(placeOf(place))}>
          {t("move.do")}
        </Button>
      </div>
    </Modal>
  );
}
