import { useQuery } from "@tanstack/react-query";
import { Switch } from "../../components/Fields";
import { Part, Setting } from "../../components/Parts";
import { useWriteAhead } from "../../components/useWriteAhead";
import { useI18n } from "../../i18n/i18n";
import { core } from "../../ipc/client";
import { keys } from "../../ipc/keys";
import { memoryEnabledQuery } from "../../ipc/queries";

/** Whether this workspace remembers by itself. The worldbuilder's own hand is never stopped by it. */
export function MemorySection({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n();
  const { data: on } = useQuery(memoryEnabledQuery);
  const write = useWriteAhead<boolean>(keys.memoryEnabled, core.setMemoryEnabled);
  if (on === undefined) return null;
  return (
    <Part title={t("settings.memory.title")}>
      <Setting
        name={t("settings.memory.on")}
        note={t(on ? "settings.memory.onBody" : "settings.memory.offBody")}
      >
        <Switch
          label={t("settings.memory.on")}
          checked={on}
          disabled={readOnly}
          onChange={(next) => void write(next)}
        />
      </Setting>
    </Part>
  );
}
