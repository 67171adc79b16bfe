import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { useI18n } from "../i18n/i18n";
import type { MessageKey } from "../i18n/messages";
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

/** The window is called by the page that it shows and the world that is open. */
export function useTitle(world: string | undefined): void {
  const { t } = useI18n();
  const page = useRouterState({ select: (state) => state.location.pathname.split("/")[1] ?? "" });
  const key = PAGES[page];
  const title = [key && t(key), world, "Inklings"].filter(Boolean).join(" · ");
  useEffect(() => {
    document.title = title;
    setWindowTitle(title);
  }, [title]);
}
