import { useQuery } from "@tanstack/react-query";
import { useParams, useRouterState, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { useI18n } from "../i18n/i18n";
import type { MessageKey } from "../i18n/messages";
import { conversationQuery, detailQuery } from "../ipc/queries";
import { setWindowTitle } from "../ipc/window";

const PAGES: Record<string, MessageKey> = {
  memory: "nav.memory",
  conversations: "nav.conversations",
  channels: "nav.channels",
  named: "nav.named",
  world: "nav.world",
  timeline: "nav.timeline",
  pages: "nav.pages",
  activity: "nav.activity",
  settings: "nav.settings",
  control: "control.title",
};

/** Whether the window shows one memory or one conversation alone, without rail and list. */
export function useIsOwn(): boolean {
  const { ref } = useParams({ strict: false });
  const { id, own } = useSearch({ strict: false });
  return own === true && (id ?? ref) !== undefined;
}

/** What the thing on the page is called, if it has a name. The page reads the same queries, so this asks for nothing more. */
function useOpenName(page: string): string | undefined {
  const { ref } = useParams({ strict: false });
  const { id } = useSearch({ strict: false });
  const onMemory = page === "memory" && id !== undefined;
  const memory = useQuery({ ...detailQuery(id ?? ""), enabled: onMemory }).data;
  const conversation = useQuery({ ...conversationQuery(ref ?? ""), enabled: ref !== undefined }).data;
  if (ref !== undefined) return conversation?.title;
  return onMemory ? (memory?.row.name ?? memory?.row.title ?? undefined) : undefined;
}

/** The window is called by what it shows, the page and the world that is open. */
export function useTitle(world: string | undefined): void {
  const { t } = useI18n();
  const page = useRouterState({ select: (state) => state.location.pathname.split("/")[1] ?? "" });
  const name = useOpenName(page);
  const key = PAGES[page];
  const isOwn = useIsOwn();
  const whole = [name, key && t(key), world, "Inklings"].filter(Boolean).join(" · ");
  // A window for one thing is called like the thing.
  const title = isOwn && name ? name : whole;
  useEffect(() => {
    document.title = title;
    setWindowTitle(title);
  }, [title]);
}
