import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Action } from "../../components/actions";
import { useI18n } from "../../i18n/i18n";
import type { MessageKey } from "../../i18n/messages";
import { revealSection } from "./reveal";

/** The sections of the settings: what each is called there, and by what else one would look for it. */
const SECTIONS = [
  ["look", "settings.look.title"],
  ["memory", "settings.memory.title"],
  ["decay", "settings.decay.title"],
  ["search", "settings.search.title"],
  ["model", "settings.model.title"],
  ["chat", "settings.chat.title"],
  ["conversation", "settings.conversation.title"],
  ["orient", "settings.orient.title"],
  ["tidy", "settings.tidy.title"],
  ["data", "settings.data.title"],
] as const satisfies readonly (readonly [string, MessageKey])[];

/** One action for each section of the settings, which shows it. */
export function useSettingActions(): Action[] {
  const { t } = useI18n();
  const navigate = useNavigate();
  return useMemo(
    () =>
      SECTIONS.map(([id, title]) => ({
        id: `settings.section.${id}`,
        group: "settings",
        label: t("palette.setting", { section: t(title) }),
        words: t(`palette.words.${id}`),
        run: () => void navigate({ to: "/settings" }).then(() => revealSection(t(title))),
      })),
    [t, navigate],
  );
}
