import { useNavigate } from "@tanstack/react-router";
import { useAllActions } from "../components/actions";
import { Button } from "../components/Button";
import { Keys } from "../components/Keys";
import { Modal } from "../components/Modal";
import { useStrokesFor } from "../components/shortcuts/chosen";
import { SingleKeys } from "../components/shortcuts/SingleKeys";
import type { Stroke } from "../components/shortcuts/strokes";
import { isShortcutId, type Place, SHORTCUT_IDS, shortcutOf } from "../components/shortcuts/table";
import { useShortcutName } from "../components/shortcuts/useShortcutName";
import { startTour } from "../components/tour";
import { useI18n } from "../i18n/i18n";

type Row = { id: string; label: string; strokes: readonly Stroke[] };

/** What works everywhere, what the open page offers, and what lists and texts listen to themselves. */
export function ShortcutsDialog({ open, onClose }: { open: boolean; onClose(): void }) {
  const { t } = useI18n();
  return (
    <Modal open={open} onClose={onClose} title={t("shortcuts.title")} wide>
      <Shortcuts onClose={onClose} />
    </Modal>
  );
}

/** A component of its own: nothing is listed while the dialog is closed. */
function Shortcuts({ onClose }: { onClose(): void }) {
  const { t } = useI18n();
  const navigate = useNavigate();
  const strokesFor = useStrokesFor();
  const nameOf = useShortcutName();
  const rows = (all: { id: string; label: string }[]): Row[] =>
    all
      .map(({ id, label }) => ({ id, label, strokes: strokesFor(id) }))
      .filter(({ strokes }) => strokes.length > 0);
  const at = (place: Place) =>
    rows(
      SHORTCUT_IDS.filter((id) => shortcutOf(id).place === place).map((id) => ({ id, label: nameOf(id) })),
    );
  const local = (place: Place) =>
    at(place).filter(({ id }) => isShortcutId(id) && shortcutOf(id).isLocal === true);
  const general = new Set([...at("everywhere"), ...at("lists")].map(({ id }) => id));
  // What a page offers, only that page hears.
  const here = rows(useAllActions()).filter(({ id }) => !general.has(id));
  return (
    <>
      <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        <div className="space-y-6">
          <Keyed title={t("shortcuts.everywhere")} rows={at("everywhere")} />
          {here.length > 0 && <Keyed title={t("shortcuts.here")} rows={here} />}
        </div>
        <div className="space-y-6">
          <Keyed title={t("shortcuts.list")} rows={[...at("lists"), ...at("writing")]} />
          <Keyed title={t("shortcuts.conversation")} rows={local("conversations")} />
        </div>
      </div>
      <div className="mt-6 border-t border-line pt-4">
        <SingleKeys />
        <div className="mt-4 flex justify-end gap-2">
          <Button
            onClick={() => {
              onClose();
              // After the dialog has given the focus back.
              setTimeout(startTour, 0);
            }}
          >
            {t("command.tour")}
          </Button>
          <Button
            onClick={() => {
              onClose();
              void navigate({ to: "/settings", search: { section: "shortcuts" } });
            }}
          >
            {t("shortcuts.change")}
          </Button>
        </div>
      </div>
    </>
  );
}

function Keyed({ title, rows }: { title: string; rows: Row[] }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-meta text-ink-3">{title}</h3>
      <dl>
        {rows.map(({ id, label, strokes }) => (
          <div key={id} className="flex min-h-8 items-center justify-between gap-4 border-b border-line">
            <dt className="text-ui text-ink">{label}</dt>
            <dd className="flex gap-2">
              {strokes.map((stroke) => (
                <Keys key={stroke} keys={stroke} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
