import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Button } from "../../components/Button";
import { Switch } from "../../components/Fields";
import { Confirm } from "../../components/Modal";
import { Setting } from "../../components/Parts";
import { useToasts } from "../../components/toast";
import { useI18n } from "../../i18n/i18n";
import type { UpdateProgress } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { hasCode } from "../../ipc/errors";
import { onUpdateProgress } from "../../ipc/events";
import { updateStatusQuery } from "../../ipc/queries";
import { usePreference } from "../../preferences/preference";
import { updatesAtStart } from "../../preferences/preferences";
import { DownloadProgress } from "./DownloadProgress";

type State =
  | { is: "idle" | "checking" | "newest" }
  | { is: "found" | "asking" | "installed"; version: string }
  | { is: "installing"; version: string; download: UpdateProgress | null };

/** What of a download has come, until all of it has. */
function Downloading({ progress, version }: { progress: UpdateProgress; version: string }) {
  const { t, number } = useI18n();
  const { downloaded, total } = progress;
  const done = number(downloaded / 1e6, { maximumFractionDigits: 0 });
  if (total === 0)
    return <span className="text-meta text-ink-2">{t("settings.download.done", { done })}</span>;
  return (
    <div className="w-60 max-w-full">
      <DownloadProgress name={`Inklings ${version}`} downloaded={downloaded} total={total} />
    </div>
  );
}

/** A newer version is looked for and installed only by these controls, and only in a build that can verify it. */
export function Updates() {
  const { t } = useI18n();
  const { data } = useQuery(updateStatusQuery);
  if (!data) return null;
  if (data.address === null)
    return (
      <Setting name={t("settings.update.title")} note={t("settings.update.none")}>
        {null}
      </Setting>
    );
  return <SetUp version={data.version} address={data.address} />;
}

function SetUp({ version, address }: { version: string; address: string }) {
  const { t } = useI18n();
  const { failed, notify } = useToasts();
  const [state, setState] = useState<State>({ is: "idle" });
  const atStart = usePreference(updatesAtStart) === "on";
  const busy = state.is === "checking" || state.is === "installing";
  const isInstalling = state.is === "installing";
  useEffect(() => {
    if (!isInstalling) return;
    return onUpdateProgress((download) => {
      setState((was) => (was.is === "installing" ? { ...was, download } : was));
    });
  }, [isInstalling]);
  const check = async () => {
    setState({ is: "checking" });
    try {
      const found = await core.findUpdate();
      setState(found === null ? { is: "newest" } : { is: "found", version: found });
    } catch (error) {
      setState({ is: "idle" });
      failed(error);
    }
  };
  const install = async (wanted: string) => {
    setState({ is: "installing", version: wanted, download: null });
    try {
      await core.installUpdate(wanted);
      setState({ is: "installed", version: wanted });
    } catch (error) {
      setState({ is: "found", version: wanted });
      if (hasCode(error, "cancelled")) notify(t("settings.download.cancelled"));
      else failed(error);
    }
  };
  const download = state.is === "installing" ? state.download : null;
  const isDownloading = download !== null && (download.total === 0 || download.downloaded < download.total);
  const offered = state.is === "found" || state.is === "asking" ? state.version : null;
  return (
    <>
      <Setting name={t("settings.update.title")} note={t("settings.update.body", { address })}>
        {state.is === "installing" && isDownloading && (
          <Downloading progress={download} version={state.version} />
        )}
        <span role="status" className="text-meta text-ink-2">
          {state.is === "newest" && t("settings.update.newest", { version })}
          {offered !== null && t("settings.update.found", { version: offered })}
          {isInstalling && !isDownloading && t("settings.update.installing")}
          {state.is === "installed" && t("settings.update.done", { version: state.version })}
        </span>
        {isDownloading && (
          <Button onClick={() => void core.cancelUpdate().catch(failed)}>
            {t("settings.download.cancel")}
          </Button>
        )}
        {offered !== null ? (
          <Button onClick={() => setState({ is: "asking", version: offered })}>
            {t("settings.update.install", { version: offered })}
          </Button>
        ) : (
          state.is !== "installed" &&
          !isDownloading && (
            <Button aria-disabled={busy || undefined} onClick={() => !busy && void check()}>
              {t(state.is === "checking" ? "settings.update.checking" : "settings.update.check")}
            </Button>
          )
        )}
      </Setting>
      <Setting name={t("settings.update.atStart")} note={t("settings.update.atStartBody")}>
        <Switch
          label={t("settings.update.atStart")}
          checked={atStart}
          onChange={(on) => updatesAtStart.set(on ? "on" : "off")}
        />
      </Setting>
      {state.is === "asking" && (
        <Confirm
          open
          onClose={() => setState({ is: "found", version: state.version })}
          onConfirm={() => void install(state.version)}
          title={t("settings.update.confirmTitle", { version: state.version })}
          body={t("settings.update.confirmBody", { host: new URL(address).host })}
          confirm={t("settings.update.confirm")}
        />
      )}
    </>
  );
}
