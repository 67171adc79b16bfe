import { useNavigate } from "@tanstack/react-router";
import { PanelLeft } from "lucide-react";
import { useI18n } from "../i18n/i18n";
import { IconButton } from "./Button";

/** In a window that shows one thing alone: brings its page back, with the rail. */
export function WholeWindow() {
  const { t } = useI18n();
  const navigate = useNavigate();
  return (
    <IconButton
      label={t("window.whole")}
      onClick={() => void navigate({ to: ".", search: (old) => ({ ...old, own: undefined }) })}
    >
      <PanelLeft size={16} aria-hidden />
    </IconButton>
  );
}
