import { useAllActions } from "../components/actions";
import { Switch } from "../components/Fields";
import { isSingleKey, Keys } from "../components/Keys";
import { Modal } from "../components/Modal";
import { useI18n } from "../i18n/i18n";
import type { MessageKey } from "../i18n/messages";
import { usePreference } from "../preferences/preference";
import { singleKeys } from "../preferences/preferences";

const LIST: [MessageKey, string[]][] = [
  ["shortcuts.move", ["down", "up"]],
  ["shortcuts.open", ["enter"]],
  ["shortcuts.select", ["x"]],
  ["shortcuts.extend", ["shift+down"]],
  ["shortcuts.all", ["mod+a"]],
  ["shortcuts.ends", ["Home", "End"]],
  ["shortcuts.escape", ["escape"]],
  ["shortcuts.saveEdit", ["mod+s"]],
];

const CONVERSATION: [MessageKey, string[]][] = [
  ["shortcuts.say", ["enter"]],
  ["shortcuts.break", ["shift+enter"]],
  ["shortcuts.stop", ["escape"]],
];

/** Besides those that lead to a page. */
const EVERYWHERE = new Set(["memory.undo", "view.zoomIn", "view.zoomOut", "view.zoomReset"]);

/** Drawn from the actions themselves, so it cannot go out of date. */
export function ShortcutsDialog({ open, onClose }: { open: boolean; onClose(): void }) {
  const { t } = useI18n();
  const single = usePreference(singleKeys) === "on";
  const keyed = useAllActions()
    .map((action) => ({
      ...action,
      strokes: (action.keys?.split(" ") ?? []).filter((key) => single || !isSingleKey(key)),
    }))
    .filter((action) => action.strokes.length > 0);
  // What a page offers, only that page hears.
  const everywhere = keyed.filter((it) => it.group === "go" || EVERYWHERE.has(it.id));
  const here = keyed.filter((it) => !everywhere.includes(it));
  const rows = (actions: typeof keyed): [string, string[]][] => actions.map((it) => [it.label, it.strokes]);
  return (
    <Modal open={open} onClose={onClose} title={t("shortcuts.title")} wide>
      <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        <div className="space-y-6">
          <Keyed title={t("shortcuts.everywhere")} rows={rows(everywhere)} />
          {here.length > 0 && <Keyed title={t("shortcuts.here")} rows={rows(here)} />}
        </div>
        <div className="space-y-6">
          <Keyed title={t("shortcuts.list")} rows={LIST.map(([key, keys]) => [t(key), keys])} />
          <Keyed
            title={t("shortcuts.conversation")}
            rows={CONVERSATION.map(([key, keys]) => [t(key), keys])}
          />
        </div>
      </div>
      <div className="mt-6 flex items-center gap-3 border-t border-line pt-4">
        <Switch
          label={t("shortcuts.single")}
          checked={single}
          onChange={(on) => singleKeys.set(on ? "on" : "off")}
        />
        <div>
          <p className="text-ui text-ink">{t("shortcuts.single")}</p>
          <p className="text-meta text-ink-2">{t("shortcuts.singleBody")}</p>
        </div>
      </div>
    </Modal>
  );
}

function Keyed({ title, rows }: { title: string; rows: [string, string[]][] }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-meta text-ink-3">{title}</h3>
      <dl>
        {rows.map(([label, keys]) => (
          <div key={label} className="flex min-h-8 items-center justify-between gap-4 border-b border-line">
            <dt className="text-ui text-ink">{label}</dt>
            <dd className="flex gap-2">
              {keys.map((key) => (
                <Keys key={key} keys={key} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
