import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { Button } from "../components/Button";
import { Failed } from "../components/States";
import { Toasts } from "../components/Toasts";
import { dismissToasts } from "../components/toast";
import { useRunNotifications } from "../features/activity/runs/useRunNotifications";
import { useUpdateAtStart } from "../features/settings/useUpdateAtStart";
import { Transfer } from "../features/transfer/Transfer";
import { FirstWorkspace } from "../features/workspaces/FirstWorkspace";
import { useI18n } from "../i18n/i18n";
import { damagedQuery, settingsQuery, statusQuery } from "../ipc/queries";
import { applyTheme } from "../theme/theme";
import { CloseGuard } from "./CloseGuard";
import { CommandPalette } from "./palette/CommandPalette";
import { useKeepRecents } from "./palette/recents";
import { Rail } from "./Rail";
import { Requests } from "./Requests";
import { ShortcutsDialog } from "./ShortcutsDialog";
import { Tour } from "./tour/Tour";
import { useAppActions } from "./useAppActions";
import { useAppearanceActions } from "./useAppearanceActions";
import { useChanges } from "./useChanges";
import { useNewWindows, useWorldOfWindows } from "./useOtherWindows";
import { useShellActions, useTrayTexts } from "./useShellActions";
import { useIsOwn, useTitle } from "./useTitle";

/** What is always there: rail, banners, palette, toasts. */
export function Frame() {
  const { t } = useI18n();
  useChanges();
  useRunNotifications();
  useUpdateAtStart();
  const status = useQuery(statusQuery);
  const settings = useQuery(settingsQuery).data;
  useTitle(status.data?.workspace?.name);
  useKeepRecents(status.data?.workspace?.id);
  const damaged = useQuery(damagedQuery).data?.length ?? 0;
  const onControl = useRouterState({ select: (state) => state.location.pathname === "/control" });
  const isOwn = useIsOwn();
  const [palette, setPalette] = useState(false);
  const [shortcuts, setShortcuts] = useState(false);
  const [files, setFiles] = useState<string[]>();
  useAppActions({
    status: status.data,
    settings,
    // The same key closes it.
    openPalette: () => setPalette((open) => !open),
    openShortcuts: () => setShortcuts(true),
  });
  useAppearanceActions();
  useNewWindows();
  useShellActions();
  useTrayTexts();
  useWorldOfWindows(status.data?.workspace);
  // What was said about one page does not follow to the next. The way back stays in the list of changes.
  const page = useRouterState({ select: (state) => state.location.pathname.split("/")[1] });
  const before = useRef(page);
  useEffect(() => {
    if (before.current === page) return;
    before.current = page;
    dismissToasts();
  }, [page]);
  const theme = settings?.theme;
  useEffect(() => {
    if (theme) applyTheme(theme);
  }, [theme]);

  return (
    <div className="flex h-full">
      {!isOwn && (
        <button
          type="button"
          onClick={() => document.getElementById("page")?.focus()}
          className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-raised focus:px-3 focus:py-2"
        >
          {t("nav.skip")}
        </button>
      )}
      {!isOwn && <Rail onPalette={() => setPalette(true)} />}
      <main id="page" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
        <Narrowed parts={status.data?.narrowed ?? []} />
        {status.data?.readOnly && (
          <p role="status" className="border-b border-line bg-warn-wash px-4 py-2 text-ui text-ink">
            {t("state.readOnly")}
          </p>
        )}
        {damaged > 0 && !onControl && (
          <p
            role="alert"
            className="flex min-h-9 items-center gap-4 border-b border-line bg-danger-wash px-4 py-1 text-ui text-ink"
          >
            {t("backup.banner", { count: damaged })}
            <Link
              to="/control"
              search={{ part: "backups" }}
              className="inline-flex min-h-6 items-center rounded-sm font-strong text-danger hover:underline"
            >
              {t("backup.bannerDo")}
            </Link>
          </p>
        )}
        <div className="min-h-0 flex-1">
          {/* The way to a backup must be open also where nothing else can be read. */}
          {onControl ? (
            <Outlet />
          ) : status.error && !status.data ? (
            <Failed page error={status.error} onRetry={() => void status.refetch()} />
          ) : status.data && !status.data.workspace ? (
            <FirstWorkspace />
          ) : (
            <Outlet />
          )}
        </div>
      </main>
      {palette && <CommandPalette onClose={() => setPalette(false)} />}
      <ShortcutsDialog open={shortcuts} onClose={() => setShortcuts(false)} />
      <Transfer files={files} onTaken={() => setFiles(undefined)} />
      <Requests status={status.data} onImport={setFiles} />
      <CloseGuard />
      <Tour />
      <Toasts />
    </div>
  );
}

/** Says once what others could read until this start. */
function Narrowed({ parts }: { parts: string[] }) {
  const { t, list } = useI18n();
  const [seen, setSeen] = useState(false);
  if (parts.length === 0 || seen) return null;
  return (
    <p
      role="status"
      className="flex min-h-9 items-center gap-4 border-b border-line bg-warn-wash px-6 py-1 text-ui text-ink"
    >
      {t("state.narrowed", { parts: list(parts) })}
      <Button look="ghost" onClick={() => setSeen(true)}>
        {t("state.narrowedSeen")}
      </Button>
    </p>
  );
}
