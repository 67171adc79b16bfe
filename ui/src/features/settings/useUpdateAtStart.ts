import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useLatest } from "../../components/hooks";
import { useToasts } from "../../components/toast";
import { useI18n } from "../../i18n/i18n";
import { core } from "../../ipc/client";
import { isFirstWindow } from "../../ipc/window";
import { updatesAtStart } from "../../preferences/preferences";

/** Looks for a newer version once when the first window opens, if somebody switched that on, and says what was found. */
export function useUpdateAtStart(): void {
  const { t } = useI18n();
  const { offered } = useToasts();
  const navigate = useNavigate();
  const latest = useLatest({ t, offered, navigate });
  useEffect(() => {
    if (updatesAtStart.get() !== "on" || !isFirstWindow()) return;
    const look = async () => {
      const { address } = await core.updateStatus();
      const version = address === null ? null : await core.findUpdate();
      if (version === null) return;
      const { t, offered, navigate } = latest.current;
      offered(t("settings.update.found", { version }), t("settings.update.see"), () => {
        void navigate({ to: "/settings", search: { section: "data" } });
      });
    };
    // Without a network there is nothing to say: "Check now" in the settings tells why it failed.
    void look().catch(() => undefined);
  }, [latest]);
}
