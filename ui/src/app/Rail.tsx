import { useQuery } from "@tanstack/react-query";
import { Link, useRouterState } from "@tanstack/react-router";
import {
  Activity,
  CalendarDays,
  FileText,
  Hash,
  MessagesSquare,
  NotebookText,
  Quote,
  Search,
  Settings2,
  Shapes,
} from "lucide-react";
import { useEffect, useRef } from "react";
import { Keys } from "../components/Keys";
import { useOpenCounts } from "../features/activity/useOpenCounts";
import type { ConversationsView } from "../features/conversations/view";
import { useDraftIds } from "../features/memory/drafts";
import type { MemoryView } from "../features/memory/view";
import { WorkspaceSwitcher } from "../features/workspaces/WorkspaceSwitcher";
import { useI18n } from "../i18n/i18n";
import { statusQuery } from "../ipc/queries";
import { SavedLinks } from "./SavedLinks";

const LINK =
  "flex h-8 items-center gap-3 rounded-md px-2 text-ui text-ink-2 hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-wash aria-[current=page]:text-ink aria-[current=page]:[&>svg]:text-accent";

/** From another page the way back leads to the view one left; on the page itself, to its beginning. */
function useLastMemoryView(): MemoryView {
  const { pathname, search } = useRouterState({ select: (state) => state.location });
  const last = useRef<MemoryView>({});
  const here = pathname === "/memory";
  useEffect(() => {
    if (here) last.current = search;
  }, [here, search]);
  return here ? {} : last.current;
}

type LastConversation = { ref: string | undefined; search: ConversationsView };

/** The same for conversations: back to the one that was open, unless another world was entered since. */
function useLastConversation(): LastConversation {
  const { pathname, search } = useRouterState({ select: (state) => state.location });
  const world = useQuery(statusQuery).data?.workspace?.id;
  const last = useRef<LastConversation & { world: string | undefined }>({
    ref: undefined,
    search: {},
    world,
  });
  const [, area, ref] = pathname.split("/");
  const here = area === "conversations";
  useEffect(() => {
    if (here) last.current = { ref, search: { ...search, import: undefined }, world };
  }, [here, ref, search, world]);
  return here || last.current.world !== world ? { ref: undefined, search: {} } : last.current;
}

export function Rail({ onPalette }: { onPalette(): void }) {
  const { t, number } = useI18n();
  const open = useOpenCounts();
  const drafts = useDraftIds().length;

  const memory = useLastMemoryView();
  const conversation = useLastConversation();
  // The control plane is a part of the settings that has a page of its own.
  const inControl = useRouterState({ select: (state) => state.location.pathname === "/control" });
  return (
    <nav
      aria-label={t("nav.label")}
      className="flex w-56 shrink-0 flex-col gap-1 border-r border-line bg-rail p-3"
    >
      <WorkspaceSwitcher />
      <button type="button" onClick={onPalette} className={`${LINK} mt-1 mb-3 text-left`}>
        <Search size={16} strokeWidth={1.75} aria-hidden />
        <span className="flex-1 truncate">{t("nav.palette")}</span>
        <Keys keys="mod+k" />
      </button>
      <Link to="/memory" search={memory} className={LINK} activeOptions={{ includeSearch: false }}>
        <NotebookText size={16} strokeWidth={1.75} aria-hidden />
        {t("nav.memory")}
      </Link>
      <SavedLinks />
      <Link
        {...(conversation.ref === undefined
          ? { to: "/conversations" as const }
          : { to: "/conversations/$ref" as const, params: { ref: conversation.ref } })}
        search={conversation.search}
        className={LINK}
        activeOptions={{ includeSearch: false }}
      >
        <MessagesSquare size={16} strokeWidth={1.75} aria-hidden />
        {t("nav.conversations")}
      </Link>
      <Link to="/channels" className={LINK}>
        <Hash size={16} strokeWidth={1.75} aria-hidden />
        {t("nav.channels")}
      </Link>
      <Link to="/world" search={{}} className={LINK} activeOptions={{ includeSearch: false }}>
        <Shapes size={16} strokeWidth={1.75} aria-hidden />
        {t("nav.world")}
      </Link>
      <Link to="/timeline" search={{}} className={LINK} activeOptions={{ includeSearch: false }}>
        <CalendarDays size={16} strokeWidth={1.75} aria-hidden />
        {t("nav.timeline")}
      </Link>
      <Link to="/named" search={{}} className={LINK} activeOptions={{ includeSearch: false }}>
        <Quote size={16} strokeWidth={1.75} aria-hidden />
        {t("nav.named")}
      </Link>
      <Link to="/pages" search={{}} className={LINK} activeOptions={{ includeSearch: false }}>
        <FileText size={16} strokeWidth={1.75} aria-hidden />
        {t("nav.pages")}
      </Link>
      <Link to="/activity" search={{}} className={LINK} activeOptions={{ includeSearch: false }}>
        <Activity size={16} strokeWidth={1.75} aria-hidden />
        <span className="flex-1">{t("nav.activity")}</span>
        {open.all > 0 && (
          <span className="tabular pr-1 text-meta text-accent">
            <span aria-hidden>{number(open.all)}</span>
            {open.proposals > 0 && (
              <span className="sr-only">, {t("nav.activityOpen", { count: open.proposals })}</span>
            )}
            {open.drifts > 0 && (
              <span className="sr-only">, {t("drift.openCount", { count: open.drifts })}</span>
            )}
          </span>
        )}
      </Link>
      <span className="flex-1" />
      {drafts > 0 && (
        <p role="status" className="px-2 py-1 text-meta text-warn">
          {t("edit.drafts", { count: drafts })}
        </p>
      )}
      <Link to="/settings" className={LINK} aria-current={inControl ? "page" : undefined}>
        <Settings2 size={16} strokeWidth={1.75} aria-hidden />
        {t("nav.settings")}
      </Link>
    </nav>
  );
}
