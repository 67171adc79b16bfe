import type { I18n } from "../../i18n/i18n";
import type { MessageKey } from "../../i18n/messages";
import { MAC, type Stroke } from "./strokes";

/** Where shortcuts work: `lists` in every list, `everywhere` on every page. */
export const PLACES = [
  "everywhere",
  "lists",
  "writing",
  "memory",
  "conversations",
  "channels",
  "world",
  "named",
  "activity",
  "settings",
  "control",
] as const;
export type Place = (typeof PLACES)[number];

export type Shortcut = {
  place: Place;
  /** A part of the page: two parts that are never shown together can have the same keys. */
  part?: string;
  label: MessageKey | ((t: I18n["t"]) => string);
  /** The keys that it has until others are chosen. */
  strokes: readonly Stroke[];
  /** Keys that do it in every program: they always work, and cannot be changed. */
  fixed: readonly Stroke[];
  /** No others can be chosen. */
  isFixed?: true;
  /** What has the focus listens to it itself, and not the window. */
  isLocal?: true;
};

const ACTIVITY = {
  proposals: "command.goProposals",
  drift: "command.goDrift",
  runs: "command.goRuns",
  changes: "command.goChanges",
  tasks: "command.goTasks",
  recall: "command.goRecall",
  telemetry: "command.goTelemetry",
} as const;
const CONTROL = ["overview", "scrub", "clients", "audit", "backups"] as const;
const TIERS = ["all", "account", "workspace", "channel", "conversation"] as const;

type Options = Partial<Pick<Shortcut, "part" | "isFixed" | "isLocal">> & { fixed?: string };

const split = (strokes: string): Stroke[] => (strokes === "" ? [] : strokes.split(" "));

const at =
  (place: Place) =>
  (label: Shortcut["label"], strokes = "", { fixed = "", ...options }: Options = {}): Shortcut => ({
    place,
    label,
    strokes: split(strokes),
    fixed: split(fixed),
    ...options,
  });

const everywhere = at("everywhere");
const lists = at("lists");
const writing = at("writing");
const memory = at("memory");
const conversations = at("conversations");
const world = at("world");
const activity = at("activity");
const control = at("control");

const only = (fixed: string): Options => ({ fixed, isFixed: true, isLocal: true });
const LOCAL: Options = { isLocal: true };
const PROPOSALS: Options = { part: "proposals" };
const DRIFT: Options = { part: "drift" };
const CLAIMS: Options = { part: "claims" };

/** One entry for each of the names, by its id. */
const each = <N extends string, I extends string>(
  names: readonly N[],
  idOf: (name: N) => I,
  entry: (name: N, place: number) => Shortcut,
) => Object.fromEntries(names.map((name, n) => [idOf(name), entry(name, n)])) as Record<I, Shortcut>;

/**
 * Every shortcut of the window, by the id of the action that it runs: what is bound, listed, hinted at and changed is read
 * from here.
 */
export const SHORTCUTS = {
  "go.palette": everywhere("shortcuts.palette", "mod+k"),
  "go.shortcuts": everywhere("command.shortcuts", "?"),
  "go.memory": everywhere("command.goMemory"),
  "go.conversations": everywhere("command.goConversations"),
  "go.channels": everywhere("command.goChannels"),
  "go.world": everywhere("command.goWorld"),
  "go.timeline": everywhere("command.goTimeline"),
  "go.named": everywhere("command.goNamed"),
  "go.pages": everywhere("command.goPages"),
  "go.activity": everywhere("command.goActivity"),
  "go.settings": everywhere("command.goSettings", "mod+,"),
  "go.control": everywhere("command.goControl"),
  "memory.undo": everywhere("command.undo", "u mod+z"),
  "view.zoomIn": everywhere("command.zoomIn", "mod+plus"),
  "view.zoomOut": everywhere("command.zoomOut", "mod+minus"),
  "view.zoomReset": everywhere("command.zoomReset", "mod+0"),
  "view.newWindow": everywhere("window.open", "mod+alt+n"),

  "list.next": lists("shortcuts.next", "j", { fixed: "down" }),
  "list.previous": lists("shortcuts.previous", "k", { fixed: "up" }),
  "list.open": lists("shortcuts.open", "o", { fixed: "enter", isLocal: true }),
  "list.select": lists("shortcuts.select", "x", { fixed: "space", isLocal: true }),
  "list.extend": lists("shortcuts.extend", "", only("shift+down")),
  "list.all": lists("shortcuts.all", "", only("mod+a")),
  "list.ends": lists("shortcuts.ends", "", only("home end")),
  "list.escape": lists("shortcuts.escape", "", only("escape")),

  "edit.save": writing("shortcuts.saveEdit", "", only("mod+s")),

  "memory.new": memory("memory.new", "n"),
  "memory.search": memory("command.searchFocus", "/ mod+f"),
  "view.filters": memory("command.toggleFilters", "f"),
  ...each(
    TIERS,
    (tier) => `view.scope.${tier}` as const,
    (tier, n) => memory((t) => t("command.scope", { tier: t(`tier.${tier}`) }), String(n + 1)),
  ),
  "memory.edit": memory("memory.editText", "e"),
  "memory.pin": memory("memory.pin", "p"),
  "memory.move": memory("memory.move", "m"),
  "memory.forget": memory("memory.forget", MAC ? "backspace delete" : "delete"),
  "saved.up": memory("saved.up", "", only("alt+up")),
  "saved.down": memory("saved.down", "", only("alt+down")),

  "conversation.new": conversations("conversation.new", "n"),
  "conversation.search": conversations("conversation.search", "/ mod+f"),
  "conversation.write": conversations("command.talkWrite", "c"),
  "conversation.panel": conversations("conversation.panel", "b"),
  "conversation.send": conversations("shortcuts.say", "", only("enter")),
  "conversation.break": conversations("shortcuts.break", "", only("shift+enter")),
  "conversation.leave": conversations("shortcuts.stop", "", only("escape")),

  "channel.new": at("channels")("channels.new", "n"),

  "world.new": world("world.new", "n"),
  "graph.zoomIn": world("lanes.in", "plus", LOCAL),
  "graph.zoomOut": world("lanes.out", "minus", LOCAL),
  "graph.zoomReset": world("lanes.whole", "0", LOCAL),

  "named.new": at("named")("named.new", "n"),

  ...each(
    Object.keys(ACTIVITY) as (keyof typeof ACTIVITY)[],
    (tab) => `activity.${tab}` as const,
    (tab, n) => activity(ACTIVITY[tab], String(n + 1)),
  ),
  "proposal.accept": activity("proposal.accept", "a", PROPOSALS),
  "proposal.reject": activity("proposal.reject", "r", PROPOSALS),
  "proposal.edit": activity("proposal.edit", "e", PROPOSALS),
  "drift.canon_stands": activity("drift.decision.canon_stands", "s", DRIFT),
  "drift.canon_changes": activity("drift.decision.canon_changes", "c", DRIFT),
  "drift.both": activity("drift.decision.both", "t", DRIFT),
  "drift.belief": activity("drift.decision.belief", "b", DRIFT),
  "drift.dismiss": activity("drift.decision.dismiss", "d", DRIFT),
  "drift.derive_again": activity("drift.decision.derive_again", "a", DRIFT),
  // The keys of the like decisions about a contradiction: canon stands, canon changes.
  "drift.keep": activity("drift.answer.keep", "s", CLAIMS),
  "drift.take": activity("drift.answer.take", "c", CLAIMS),
  "recall.add": activity("command.addRecallTest", "n", { part: "recall" }),
  "telemetry.define": activity("command.defineMeasure", "n", { part: "telemetry" }),

  "settings.find": at("settings")("settings.find", "/"),

  ...each(
    CONTROL,
    (tab) => `control.tab.${tab}` as const,
    (tab, n) => control(`command.control.${tab}`, String(n + 1)),
  ),
  "client.add": control("clients.addTitle", "n", { part: "clients" }),
} satisfies Record<string, Shortcut>;

export type ShortcutId = keyof typeof SHORTCUTS;

export const SHORTCUT_IDS = Object.keys(SHORTCUTS) as ShortcutId[];

export const isShortcutId = (id: string): id is ShortcutId => Object.hasOwn(SHORTCUTS, id);

export const shortcutOf = (id: ShortcutId): Shortcut => SHORTCUTS[id];

const isAnywhere = ({ place }: Shortcut) =>
  place === "everywhere" || place === "lists" || place === "writing";

/** Whether two shortcuts could be meant by the same press. */
export function overlap(a: Shortcut, b: Shortcut): boolean {
  if (isAnywhere(a) || isAnywhere(b)) return true;
  return a.place === b.place && (a.part === undefined || b.part === undefined || a.part === b.part);
}
