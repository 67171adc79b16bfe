import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Button } from "../../components/Button";
import { Switch } from "../../components/Fields";
import { Keys } from "../../components/Keys";
import { Part, Setting } from "../../components/Parts";
import { keysOf, shortcutOf } from "../../components/systemKeys";
import { useToasts } from "../../components/toast";
import { useI18n } from "../../i18n/i18n";
import type { ShellStatus } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { onShellChanged } from "../../ipc/events";
import { keys } from "../../ipc/keys";
import { shellQuery } from "../../ipc/queries";
import { hasShell } from "../../ipc/shell";

/** Reads the settings of this computer, and again when another window changes them. */
function useShell() {
  const client = useQueryClient();
  const { failed } = useToasts();
  const status = useQuery({ ...shellQuery, enabled: hasShell() }).data;
  useEffect(() => {
    if (!hasShell()) return;
    return onShellChanged(() => void client.invalidateQueries({ queryKey: keys.shell }));
  }, [client]);
  const write = async (work: Promise<ShellStatus>) => {
    try {
      client.setQueryData(keys.shell, await work);
    } catch (error) {
      failed(error);
    }
  };
  return { status, write };
}

/** What the program does beyond its windows. It belongs to this computer. */
export function DesktopSection() {
  const { t } = useI18n();
  const { status, write } = useShell();
  const [listening, setListening] = useState(false);
  if (!hasShell())
    return (
      <Part title={t("settings.desktop.title")}>
        <p className="text-ui text-ink-2">{t("settings.desktop.browser")}</p>
      </Part>
    );
  if (!status) return <Part title={t("settings.desktop.title")}>{null}</Part>;
  const { captureOn, captureShortcut, tray } = status;
  return (
    <Part title={t("settings.desktop.title")} body={t("settings.desktop.body")}>
      <Setting name={t("settings.desktop.capture")} note={t("settings.desktop.captureBody")}>
        <div className="flex flex-wrap items-center gap-3">
          {listening ? (
            <KeyField
              onKey={(shortcut) => {
                setListening(false);
                if (shortcut !== null) void write(core.setCaptureShortcut(true, shortcut));
              }}
            />
          ) : (
            <>
              <Keys keys={keysOf(captureShortcut)} />
              <Button onClick={() => setListening(true)}>{t("settings.desktop.change")}</Button>
            </>
          )}
          <Switch
            label={t("settings.desktop.captureOn")}
            checked={captureOn}
            onChange={(on) => void write(core.setCaptureShortcut(on, captureShortcut))}
          />
        </div>
        {status.captureProblem && (
          <p role="alert" className="w-full text-meta text-pretty text-danger">
            {t(`settings.desktop.problem.${status.captureProblem}`)}
          </p>
        )}
      </Setting>
      <Setting name={t("settings.desktop.tray")} note={t("settings.desktop.trayBody")}>
        <Switch
          label={t("settings.desktop.tray")}
          checked={tray}
          onChange={(on) => void write(core.setTray(on))}
        />
        {status.trayProblem && (
          <p role="alert" className="w-full text-meta text-pretty text-danger">
            {t(`settings.desktop.problem.${status.trayProblem}`)}
          </p>
        )}
      </Setting>
    </Part>
  );
}

/** Takes the next key that is pressed. Escape alone, or another place, changes nothing. */
function KeyField({ onKey }: { onKey(shortcut: string | null): void }) {
  const { t } = useI18n();
  return (
    <button
      type="button"
      // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
      autoFocus
      aria-live="polite"
      className="h-8 rounded-md border border-accent bg-paper px-3 text-ui text-ink"
      onBlur={() => onKey(null)}
      onKeyDown={(event) => {
        if (event.key === "Tab") return;
        event.preventDefault();
        event.stopPropagation();
        const shortcut = shortcutOf(event.nativeEvent);
        if (shortcut === "Escape") onKey(null);
        else if (shortcut !== null) onKey(shortcut);
      }}
    >
      {t("settings.desktop.press")}
    </button>
  );
}
