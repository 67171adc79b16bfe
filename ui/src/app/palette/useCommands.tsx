import { useNavigate } from "@tanstack/react-router";
import { defaultFilter } from "cmdk";
import {
  Activity,
  ArrowRight,
  FileText,
  Globe,
  Layers,
  ListFilter,
  type LucideIcon,
  MessagesSquare,
  NotebookText,
  Quote,
  Settings2,
  ShieldCheck,
} from "lucide-react";
import { type Action, type ActionGroup, useAllActions } from "../../components/actions";
import { ShortcutKeys } from "../../components/Keys";
import { useStrokesFor } from "../../components/shortcuts/chosen";
import { isShortcutId } from "../../components/shortcuts/table";
import { useSectionActions } from "../../features/settings/useSectionActions";
import { useI18n } from "../../i18n/i18n";
import { usePageActions } from "./pageActions";
import { type PaletteGroup, type PaletteRow, SHOWN } from "./rows";

const GROUPS: readonly ActionGroup[] = [
  "memory",
  "conversation",
  "named",
  "world",
  "pages",
  "activity",
  "go",
  "view",
  "transfer",
  "workspace",
  "control",
  "settings",
];

/** The icons of the rail, where it has one. */
const ICONS: Record<ActionGroup, LucideIcon> = {
  go: ArrowRight,
  memory: NotebookText,
  conversation: MessagesSquare,
  named: Quote,
  world: Globe,
  pages: FileText,
  activity: Activity,
  view: ListFilter,
  workspace: Layers,
  transfer: ArrowRight,
  control: ShieldCheck,
  settings: Settings2,
};

/** How well a name must match to stand above what is found: as a word or its beginning. */
const WELL = 0.5;

/** Whether every word of the text begins a word of the name. */
function names(label: string, text: string): boolean {
  const words = (of: string) => of.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const all = words(label);
  return words(text).every((word) => all.some((it) => it.startsWith(word)));
}

function scoreOf({ label, words = "", group }: Action, text: string): number {
  const score = defaultFilter(label, text);
  // A page comes before what is done or set there.
  if (names(label, text)) return score + (group === "go" ? 2 : 1);
  // By its words alone an action comes behind what is called so.
  return Math.max(score, names(`${label} ${words}`, text) ? WELL : 0);
}

/** Everything that can be done: what the open page offers, and what others would. */
export function useAllCommands(): Action[] {
  const offered = useAllActions().filter((action) => action.id !== "go.palette");
  const ids = new Set(offered.map(({ id }) => id));
  const navigate = useNavigate();
  const sections = useSectionActions((section) => void navigate({ to: "/settings", search: { section } }));
  const elsewhere = [...usePageActions(), ...sections].filter(
    ({ id, enabled }) => enabled !== false && !ids.has(id),
  );
  return [...offered, ...elsewhere];
}

export function actionRow(action: Action): PaletteRow {
  const Icon = ICONS[action.group];
  return {
    value: action.id,
    icon: action.icon ?? <Icon size={15} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />,
    body: (
      <span className="flex items-center gap-3">
        <span className="min-w-0 flex-1 truncate text-ui text-ink">{action.label}</span>
        {isShortcutId(action.id) && <ShortcutKeys id={action.id} />}
      </span>
    ),
    run: action.run,
  };
}

type Commands = {
  typed: string;
  all: readonly Action[];
  /** Every action that matches is listed, however well. */
  isWide: boolean;
  onWiden(): void;
};

/** The actions to list: all of them, or when something is typed, those whose name matches, the best first. */
export function useCommands({ typed, all, isWide, onWiden }: Commands): PaletteGroup[] {
  const { t } = useI18n();
  const strokesFor = useStrokesFor();
  if (typed === "")
    return GROUPS.map((group) => ({
      id: group,
      heading: t(`palette.group.${group}`),
      isFresh: true,
      rows: all
        .filter((action) => action.group === group)
        .sort((a, b) => Number(strokesFor(b.id).length > 0) - Number(strokesFor(a.id).length > 0))
        .map(actionRow),
    }));
  const scored = all
    .map((action) => ({ action, score: scoreOf(action, typed) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const well = scored.filter(({ score }) => score >= WELL).slice(0, SHOWN);
  const rows = (isWide ? scored : well).map(({ action }) => actionRow(action));
  // Where nothing matches well, the others still are one row away.
  if (!isWide && scored.length > well.length && well.length > 0)
    rows.push({
      value: "all actions",
      icon: <ArrowRight size={15} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />,
      body: t("palette.all.action"),
      isMore: true,
      stays: true,
      run: onWiden,
    });
  return [{ id: "action", heading: t("palette.kind.action"), isFresh: true, rows }];
}
