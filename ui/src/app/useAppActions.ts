import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { type Action, useActions } from "../components/actions";
import { useLatest } from "../components/hooks";
import { asOwnSwitch } from "../components/ownSwitch";
import { useToasts } from "../components/toast";
import { useEntered } from "../components/useEntered";
import { useI18n } from "../i18n/i18n";
import type { AppStatus, Settings } from "../ipc/bindings.gen";
import { core } from "../ipc/client";

type Inputs = {
  status: AppStatus | undefined;
  settings: Settings | undefined;
  openPalette(): void;
  openShortcuts(): void;
};

/** What can be done from every page. */
export function useAppActions(inputs: Inputs): void {
  const { t } = useI18n();
  const { done, notify, failed } = useToasts();
  const entered = useEntered();
  const navigate = useNavigate();
  const latest = useLatest(inputs);
  const readOnly = inputs.status?.readOnly ?? false;
  const hasSettings = inputs.settings !== undefined;
  useActions(
    useMemo((): Action[] => {
      const undo = async () => {
        try {
          const change = await core.undoLast();
          done(t("toast.undone", { count: change.affected.length }), change);
        } catch (error) {
          failed(error);
        }
      };
      const setTheme = async (theme: Settings["theme"]) => {
        const { settings } = latest.current;
        if (!settings) return;
        try {
          await core.updateSettings({ ...settings, theme });
        } catch (error) {
          failed(error);
        }
      };
      const sample = async () => {
        try {
          await asOwnSwitch(async () => {
            await core.loadSampleWorld();
            await entered();
          });
          notify(t("welcome.loaded"));
        } catch (error) {
          failed(error);
        }
      };
      return [
        {
          id: "go.memory",
          group: "go",
          label: t("command.goMemory"),
          run: () => void navigate({ to: "/memory", search: {} }),
        },
        {
          id: "go.conversations",
          group: "go",
          label: t("command.goConversations"),
          run: () => void navigate({ to: "/conversations", search: {} }),
        },
        {
          id: "go.channels",
          group: "go",
          label: t("command.goChannels"),
          run: () => void navigate({ to: "/channels" }),
        },
        {
          id: "go.named",
          group: "go",
          label: t("command.goNamed"),
          run: () => void navigate({ to: "/named", search: {} }),
        },
        {
          id: "go.world",
          group: "go",
          label: t("command.goWorld"),
          run: () => void navigate({ to: "/world", search: {} }),
        },
        {
          id: "go.timeline",
          group: "go",
          label: t("command.goTimeline"),
          run: () => void navigate({ to: "/timeline", search: {} }),
        },
        {
          id: "go.calendars",
          group: "go",
          label: t("command.goCalendars"),
          run: () => void navigate({ to: "/timeline", search: { page: "calendars" } }),
        },
        {
          id: "go.pages",
          group: "go",
          label: t("command.goPages"),
          run: () => void navigate({ to: "/pages", search: {} }),
        },
        {
          id: "pages.folders",
          group: "pages",
          label: t("command.linkedFolders"),
          run: () => void navigate({ to: "/pages", search: { show: "folders" } }),
        },
        {
          id: "go.activity",
          group: "go",
          label: t("command.goActivity"),
          run: () => void navigate({ to: "/activity", search: {} }),
        },
        {
          id: "run.preview",
          group: "activity",
          label: t("command.consolidatePreview"),
          run: () => void navigate({ to: "/activity", search: { page: "runs", preview: true } }),
        },
        {
          id: "conversation.import",
          group: "conversation",
          label: t("conversation.import"),
          enabled: !readOnly,
          run: () => void navigate({ to: "/conversations", search: { import: true } }),
        },
        {
          id: "go.settings",
          group: "go",
          label: t("command.goSettings"),
          keys: "mod+,",
          run: () => void navigate({ to: "/settings" }),
        },
        {
          id: "settings.chat",
          group: "settings",
          label: t("command.chat"),
          run: () => void navigate({ to: "/settings", search: { section: "language-model" } }),
        },
        {
          id: "settings.orientation",
          group: "settings",
          label: t("command.orientation"),
          run: () => void navigate({ to: "/settings", search: { section: "orientation" } }),
        },
        {
          id: "settings.consolidation",
          group: "settings",
          label: t("command.tidy"),
          run: () => void navigate({ to: "/settings", search: { section: "consolidation" } }),
        },
        {
          id: "go.control",
          group: "go",
          label: t("command.goControl"),
          run: () => void navigate({ to: "/control", search: {} }),
        },
        {
          id: "go.palette",
          group: "go",
          label: t("shortcuts.palette"),
          keys: "mod+k",
          inDialogs: true,
          run: () => latest.current.openPalette(),
        },
        {
          id: "go.shortcuts",
          group: "go",
          label: t("command.shortcuts"),
          keys: "?",
          run: () => latest.current.openShortcuts(),
        },
        {
          id: "memory.undo",
          group: "memory",
          label: t("command.undo"),
          keys: "u mod+z",
          enabled: !readOnly,
          run: () => void undo(),
        },
        {
          id: "workspace.sample",
          group: "workspace",
          label: t("command.sample"),
          enabled: !readOnly,
          run: () => void sample(),
        },
        ...(["system", "light", "dark"] as const).map(
          (theme): Action => ({
            id: `settings.theme.${theme}`,
            group: "settings",
            label: t("command.theme", { theme: t(`theme.${theme}`) }),
            enabled: hasSettings,
            run: () => void setTheme(theme),
          }),
        ),
      ];
    }, [t, done, notify, failed, entered, navigate, latest, readOnly, hasSettings]),
  );
}
