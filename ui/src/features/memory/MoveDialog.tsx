import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/Button";
import { Modal } from "../../components/Modal";
import { isPlaced, type PlaceDraft, PlaceFields, placeOf } from "../../components/PlaceFields";
import { Select } from "../../components/Select";
import { useI18n } from "../../i18n/i18n";
import type { MoveTarget, Scope } from "../../ipc/bindings.gen";
import { workspacesQuery } from "../../ipc/queries";

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
  const { data: worlds = [] } = useQuery(workspacesQuery);
  const [place, setPlace] = useState<PlaceDraft>({ scope: start, channel: null, conversation: null });
  const options = worlds
    .filter((it) => it.current || it.damaged === null)
    .map((it) => ({ value: it.id, label: it.current ? t("move.here", { world: it.name }) : it.name }));
  const here = worlds.find((it) => it.current)?.id ?? "";
  const choose = (id: string) =>
    setPlace({ world: id === here ? null : id, scope: "workspace", channel: null, conversation: null });
  return (
    <Modal open={open} onClose={onClose} title={t("move.title", { count })}>
      {options.length > 1 && (
        <div className="mb-3">
          <Select label={t("move.world")} value={place.world ?? here} onChange={choose} options={options} />
        </div>
      )}
      <PlaceFields value={place} onChange={(patch) => setPlace({ ...place, ...patch })} />
      <p className="mt-3 text-meta text-ink-2">{t(place.world ? "move.noteElsewhere" : "move.note")}</p>
      <div className="mt-6 flex justify-end gap-2">
        <Button onClick={onClose}>{t("action.cancel")}</Button>
        <Button look="primary" disabled={!isPlaced(place)} onClick={() => onMove(placeOf(place))}>
          {t("move.do")}
        </Button>
      </div>
    </Modal>
  );
}
