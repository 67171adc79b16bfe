import { useQuery } from "@tanstack/react-query";
import { type NavigateOptions, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { type Action, type ActionGroup, useRunOffered } from "../../components/actions";
import { TABS as ACTIVITY_TABS, TAB_COMMANDS, TELEMETRY_PARTS } from "../../features/activity/view";
import { TABS as CONTROL_TABS } from "../../features/control/view";
import { useI18n } from "../../i18n/i18n";
import type { MessageKey } from "../../i18n/messages";
import { statusQuery } from "../../ipc/queries";

/** An action that a page offers while it is open, by the id that it has there. */
type PageAction = {
  id: string;
  group: ActionGroup;
  label: MessageKey;
  at: NavigateOptions;
  /** Done with the page being there. */
  isPlace?: true;
  /** Not offered where the data folder cannot be written. */
  writes?: true;
};

const MEMORY: NavigateOptions = { to: "/memory", search: {} };
const CONVERSATIONS: NavigateOptions = { to: "/conversations", search: {} };
const WORLD: NavigateOptions = { to: "/world", search: {} };
const RECALL: NavigateOptions = { to: "/activity", search: { page: "recall" } };
const SETTINGS: NavigateOptions = { to: "/settings" };

/** Actions of pages that need nothing chosen there first. What concerns one thing stands with it. */
export const PAGE_ACTIONS: readonly PageAction[] = [
  { id: "memory.new", group: "memory", label: "memory.new", at: MEMORY, writes: true },
  { id: "memory.search", group: "memory", label: "command.searchFocus", at: MEMORY },
  {
    id: "view.forgotten",
    group: "memory",
    label: "command.showForgotten",
    at: { to: "/memory", search: { f: ["forgotten:yes"] } },
    isPlace: true,
  },
  {
    id: "conversation.new",
    group: "conversation",
    label: "conversation.new",
    at: CONVERSATIONS,
    writes: true,
  },
  { id: "conversation.search", group: "conversation", label: "conversation.search", at: CONVERSATIONS },
  { id: "channel.new", group: "workspace", label: "channels.new", at: { to: "/channels" }, writes: true },
  { id: "named.new", group: "named", label: "named.new", at: { to: "/named", search: {} }, writes: true },
  { id: "world.new", group: "world", label: "world.new", at: WORLD, writes: true },
  ...(
    [
      ["graph", "command.goGraph"],
      ["facts", "command.goFacts"],
    ] as const
  ).map(
    ([look, label]): PageAction => ({
      id: `world.${look}`,
      group: "world",
      label,
      at: { to: "/world", search: { look } },
      isPlace: true,
    }),
  ),
  {
    id: "pages.link",
    group: "pages",
    label: "command.linkFolder",
    at: { to: "/pages", search: {} },
    writes: true,
  },
  ...ACTIVITY_TABS.map(
    (page): PageAction => ({
      id: `activity.${page}`,
      group: "activity",
      label: TAB_COMMANDS[page],
      at: { to: "/activity", search: { page } },
      isPlace: true,
    }),
  ),
  {
    id: "run.now",
    group: "activity",
    label: "command.consolidate",
    at: { to: "/activity", search: { page: "runs" } },
    writes: true,
  },
  { id: "recall.add", group: "activity", label: "command.addRecallTest", at: RECALL, writes: true },
  { id: "recall.run", group: "activity", label: "command.runRecallTests", at: RECALL },
  ...TELEMETRY_PARTS.map(
    (part): PageAction => ({
      id: `telemetry.${part}`,
      group: "activity",
      label: `command.telemetry.${part}`,
      at: { to: "/activity", search: { page: "telemetry", part } },
      isPlace: true,
    }),
  ),
  {
    id: "telemetry.define",
    group: "activity",
    label: "command.defineMeasure",
    at: { to: "/activity", search: { page: "telemetry", part: "measures" } },
    writes: true,
  },
  { id: "settings.find", group: "settings", label: "settings.find", at: SETTINGS },
  ...CONTROL_TABS.map(
    (part): PageAction => ({
      id: `control.tab.${part}`,
      group: "control",
      label: `command.control.${part}`,
      at: { to: "/control", search: { part } },
      isPlace: true,
    }),
  ),
  {
    id: "client.add",
    group: "control",
    label: "clients.addTitle",
    at: { to: "/control", search: { part: "clients" } },
    writes: true,
  },
  {
    id: "backup.now",
    group: "control",
    label: "command.backUp",
    at: { to: "/control", search: { part: "backups" } },
    writes: true,
  },
  { id: "settings.embedNow", group: "settings", label: "command.embedNow", at: SETTINGS, writes: true },
  { id: "settings.copyDataDir", group: "settings", label: "command.copyDataDir", at: SETTINGS },
];

/** The actions of every page, each of which opens its page first. */
export function usePageActions(): Action[] {
  const { t } = useI18n();
  const navigate = useNavigate();
  const runOffered = useRunOffered();
  const isReadOnly = useQuery(statusQuery).data?.readOnly ?? false;
  return useMemo(
    () =>
      PAGE_ACTIONS.map(({ id, group, label, at, isPlace, writes }) => ({
        id,
        group,
        label: t(label),
        enabled: !(writes && isReadOnly),
        run: () =>
          void navigate(at).then(() => {
            if (!isPlace) runOffered(id);
          }),
      })),
    [t, navigate, runOffered, isReadOnly],
  );
}
