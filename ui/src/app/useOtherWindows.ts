import { useRouter } from "@tanstack/react-router";
import { useEffect, useMemo, useRef } from "react";
import { type Action, useActions } from "../components/actions";
import { isSwitching } from "../components/ownSwitch";
import { useToasts } from "../components/toast";
import { useEntered } from "../components/useEntered";
import { useNewWindow } from "../components/useNewWindow";
import { useI18n } from "../i18n/i18n";
import type { WorkspaceView } from "../ipc/bindings.gen";
import { hasShell } from "../ipc/shell";

/** The place that a link leads to; null for one that leaves the page. */
function placeOf(target: EventTarget | null): string | null {
  const link = target instanceof Element ? target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || link.origin !== window.location.origin) return null;
  const place = link.hash.slice(1);
  return place.startsWith("/") ? place : null;
}

/** Another window for what is shown here, and for a link that is clicked as a browser opens one in a new tab. */
export function useNewWindows(): void {
  const { t } = useI18n();
  const router = useRouter();
  const open = useNewWindow();
  useActions(
    useMemo(
      (): Action[] => [
        {
          id: "view.newWindow",
          group: "view",
          label: t("window.open"),
          enabled: hasShell(),
          run: () => open(router.state.location.href),
        },
      ],
      [t, open, router],
    ),
  );
  useEffect(() => {
    if (!hasShell()) return;
    const onClick = (event: MouseEvent) => {
      const asked = event.type === "auxclick" ? event.button === 1 : event.ctrlKey || event.metaKey;
      const place = asked ? placeOf(event.target) : null;
      if (place === null) return;
      event.preventDefault();
      event.stopPropagation();
      open(place);
    };
    document.addEventListener("click", onClick, true);
    document.addEventListener("auxclick", onClick, true);
    return () => {
      document.removeEventListener("click", onClick, true);
      document.removeEventListener("auxclick", onClick, true);
    };
  }, [open]);
}

/** All windows show one world. Where another window switched it, this one enters it too, as if it had been asked to. */
export function useWorldOfWindows(world: WorkspaceView | null | undefined): void {
  const { t } = useI18n();
  const { notify } = useToasts();
  const entered = useEntered();
  const shown = useRef<string | undefined>(undefined);
  const id = world?.id;
  const name = world?.name ?? "";
  useEffect(() => {
    const before = shown.current;
    if (id === undefined) return;
    shown.current = id;
    if (before === undefined || before === id || isSwitching()) return;
    void entered().then(() => notify(t("window.worldChanged", { name })));
  }, [id, name, entered, notify, t]);
}
