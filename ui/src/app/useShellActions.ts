import { useEffect, useMemo } from "react";
import { type Action, useActions } from "../components/actions";
import { useToasts } from "../components/toast";
import { useI18n } from "../i18n/i18n";
import { core } from "../ipc/client";
import { hasShell } from "../ipc/shell";

/** What the program around the page can do, from every page. */
export function useShellActions(): void {
  const { t } = useI18n();
  const { failed } = useToasts();
  useActions(
    useMemo(
      (): Action[] => [
        {
          id: "memory.capture",
          group: "memory",
          label: t("capture.title"),
          enabled: hasShell(),
          run: () => void core.openCapture().catch(failed),
        },
      ],
      [t, failed],
    ),
  );
}

/** The tray speaks the language of the window, and is there before it. */
export function useTrayTexts(): void {
  const { t } = useI18n();
  useEffect(() => {
    if (!hasShell()) return;
    // The shell puts the name in.
    const world = "{world}";
    core
      .setTrayTexts({
        open: t("tray.open"),
        capture: t("capture.title"),
        pause: t("tray.pause", { world }),
        resume: t("tray.resume", { world }),
        quit: t("tray.quit"),
      })
      // The tray keeps its texts then.
      .catch(() => undefined);
  }, [t]);
}
