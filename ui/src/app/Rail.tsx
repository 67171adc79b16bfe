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
import { type ReactElement, useEffect, useRef } from "react";
import { ShortcutKeys } from "../components/Keys";
import type { ShortcutId } from "../components/shortcuts/table";
import { Tooltip } from "../components/Tooltip";
import { useOpenCounts } from "../features/activity/useOpenCounts";
import type { ConversationsView } from "../features/conversations/view";
import { useDraftIds } from "../features/memory/drafts";
import type { MemoryView } from "../features/memory/view";
import { WorkspaceSwitcher } from "../features/workspaces/WorkspaceSwitcher";
import { useI18n } from "../i18n/i18n";
import { statusQuery } from "../ipc/queries";
import { useIsNarrow } from "../preferences/width";
import { SavedLinks } from "./SavedLinks";

const LINK =
  "flex h-8 shrink-0 items-center gap-3 rounded-md px-2 text-ui narrow:justify-center narrow:gap-1 narrow:px-1 [&>svg]:shrink-0 text-ink-2 hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-wash aria-[current=page]:text-ink aria-[current=page]:[&>svg]:text-accent";

/** Where there is no room the picture stands alone, and a tooltip says what it is. */
const LABEL = "narrow:sr-only";

function Tip(props: {
  text: string;
  shortcut?: ShortcutId;
  children: ReactElement<Record<string, unknown>>;
}) {
  return <Tooltip {...props} side="right" disabled={!useIsNarrow()} />;
}

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
      className="flex w-56 shrink-0 flex-col gap-1 overflow-y-auto border-r border-line bg-rail p-3 narrow:w-14 narrow:gap-0 narrow:p-2"
    >
      <WorkspaceSwitcher />
      <Tip text={t("nav.palette")} shortcut="go.palette">
        <button
          type="button"
          onClick={onPalette}
          className={`${LINK} mt-1 mb-3 text-left narrow:mt-0 narrow:mb-1`}
        >
          <Search size={16} strokeWidth={1.75} aria-hidden />
          <span className={`flex-1 truncate ${LABEL}`}>{t("nav.palette")}</span>
          <span className="narrow:hidden">
            <ShortcutKeys id="go.palette" />
          </span>
        </button>
      </Tip>
      <Tip text={t("nav.memory")}>
        <Link to="/memory" search={memory} className={LINK} activeOptions={{ includeSearch: false }}>
          <NotebookText size={16} strokeWidth={1.75} aria-hidden />
          <span className={LABEL}>{t("nav.memory")}</span>
        </Link>
      </Tip>
      <SavedLinks />
      <Tip text={t("nav.conversations")}>
        <Link
          {...(conversation.ref === undefined
            ? { to: "/conversations" as const }
            : { to: "/conversations/$ref" as const, params: { ref: conversation.ref } })}
          search={conversation.search}
          className={LINK}
          activeOptions={{ includeSearch: false }}
        >
          <MessagesSquare size={16} strokeWidth={1.75} aria-hidden />
          <span className={LABEL}>{t("nav.conversations")}</span>
        </Link>
      </Tip>
      <Tip text={t("nav.channels")}>
        <Link to="/channels" className={LINK}>
          <Hash size={16} strokeWidth={1.75} aria-hidden />
          <span className={LABEL}>{t("nav.channels")}</span>
        </Link>
      </Tip>
      <Tip text={t("nav.world")}>
        <Link to="/world" search={{}} className={LINK} activeOptions={{ includeSearch: false }}>
          <Shapes size={16} strokeWidth={1.75} aria-hidden />
          <span className={LABEL}>{t("nav.world")}</span>
        </Link>
      </Tip>
      <Tip text={t("nav.timeline")}>
        <Link to="/timeline" search={{}} className={LINK} activeOptions={{ includeSearch: false }}>
          <CalendarDays size={16} strokeWidth={1.75} aria-hidden />
          <span className={LABEL}>{t("nav.timeline")}</span>
        </Link>
      </Tip>
      <Tip text={t("nav.named")}>
        <Link to="/named" search={{}} className={LINK} activeOptions={{ includeSearch: false }}>
          <Quote size={16} strokeWidth={1.75} aria-hidden />
          <span className={LABEL}>{t("nav.named")}</span>
        </Link>
      </Tip>
      <Tip text={t("nav.pages")}>
        <Link to="/pages" search={{}} className={LINK} activeOptions={{ includeSearch: false }}>
          <FileText size={16} strokeWidth={1.75} aria-hidden />
          <span className={LABEL}>{t("nav.pages")}</span>
        </Link>
      </Tip>
      <Tip text={t("nav.activity")}>
        <Link to="/activity" search={{}} className={LINK} activeOptions={{ includeSearch: false }}>
          <Activity size={16} strokeWidth={1.75} aria-hidden />
          <span className={`flex-1 ${LABEL}`}>{t("nav.activity")}</span>
          {open.all > 0 && (
            <span className="tabular pr-1 text-meta text-accent narrow:pr-0">
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
      </Tip>
      <span className="flex-1" />
      {drafts > 0 && (
        <p role="status" className="px-2 py-1 text-meta text-warn narrow:sr-only">
          {t("edit.drafts", { count: drafts })}
        </p>
      )}
      <Tip text={t("nav.settings")}>
        <Link to="/settings" className={LINK} aria-current={inControl ? "page" : undefined}>
          <Settings2 size={16} strokeWidth={1.75} aria-hidden />
          <span className={LABEL}>{t("nav.settings")}</span>
        </Link>
      </Tip>
    </nav>
  );
}
