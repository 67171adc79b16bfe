import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../components/Button";
import { Confirm } from "../../../components/Modal";
import { Part } from "../../../components/Parts";
import { resetAll, useChosen } from "../../../components/shortcuts/chosen";
import { SingleKeys } from "../../../components/shortcuts/SingleKeys";
import { PLACES, type Place, SHORTCUT_IDS, shortcutOf } from "../../../components/shortcuts/table";
import { useI18n } from "../../../i18n/i18n";
import type { MessageKey } from "../../../i18n/messages";
import { ShortcutRow } from "./ShortcutRow";

const TITLES: Record<Place, MessageKey> = {
  everywhere: "shortcuts.everywhere",
  lists: "shortcuts.list",
  writing: "shortcuts.writing",
  memory: "nav.memory",
  conversations: "nav.conversations",
  channels: "nav.channels",
  world: "nav.world",
  named: "nav.named",
  activity: "nav.activity",
  settings: "nav.settings",
  control: "control.title",
};

/** Every shortcut by its page, each of which can be changed and switched off. */
export function ShortcutSection() {
  const { t } = useI18n();
  const { isAnyChanged } = useChosen();
  const [announced, setAnnounced] = useState("");
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Part title={t("shortcuts.title")} body={t("shortcuts.body")}>
      <SingleKeys />
      <div className="mt-2 border-b border-line">
        {PLACES.map((place) => (
          <PlaceShortcuts key={place} place={place} onAnnounce={setAnnounced} />
        ))}
      </div>
      <p role="status" className="sr-only">
        {announced}
      </p>
      <Button className="mt-4" disabled={!isAnyChanged} onClick={() => setIsAsking(true)}>
        {t("shortcuts.resetAll")}
      </Button>
      <Confirm
        open={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={() => {
          resetAll();
          setIsAsking(false);
        }}
        title={t("shortcuts.resetAllTitle")}
        body={t("shortcuts.resetAllBody")}
        confirm={t("shortcuts.resetAll")}
      />
    </Part>
  );
}

type PlaceProps = { place: Place; onAnnounce(text: string): void };

function PlaceShortcuts({ place, onAnnounce }: PlaceProps) {
  const { t } = useI18n();
  const { isChanged } = useChosen();
  const ids = SHORTCUT_IDS.filter((id) => shortcutOf(id).place === place);
  const changed = ids.filter(isChanged).length;
  return (
    <details open={place === "everywhere"} className="group/place border-t border-line">
      <summary className="focus-inset -mx-3 flex h-10 cursor-default items-center gap-2 rounded-md px-3 text-ui text-ink list-none hover:bg-hover [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={14}
          className="shrink-0 text-ink-3 transition-transform group-open/place:rotate-90"
          aria-hidden
        />
        <span>{t(TITLES[place])}</span>
        {changed > 0 && (
          <span className="tabular ml-auto text-meta text-ink-3">
            {t("shortcuts.changed", { count: changed })}
          </span>
        )}
      </summary>
      <div className="pb-3 pl-5.5">
        {ids.map((id) => (
          <ShortcutRow key={id} id={id} onAnnounce={onAnnounce} />
        ))}
      </div>
    </details>
  );
}
