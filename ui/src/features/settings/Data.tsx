import { Link } from "@tanstack/react-router";
import { Copy, FolderOpen } from "lucide-react";
import { Button, IconButton } from "../../components/Button";
import { Part, Setting } from "../../components/Parts";
import { useToasts } from "../../components/toast";
import { useCopy } from "../../components/useCopy";
import { useI18n } from "../../i18n/i18n";
import type { AppStatus, DataFolder } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { Updates } from "./Updates";

function Path({ path }: { path: string }) {
  const { t } = useI18n();
  const copy = useCopy();
  return (
    <span className="flex min-w-0 items-center gap-1">
      <code className="min-w-0 font-mono text-meta wrap-anywhere text-ink select-text">{path}</code>
      <IconButton label={t("settings.data.copy")} onClick={() => copy(path)}>
        <Copy size={14} aria-hidden />
      </IconButton>
    </span>
  );
}

function OpenFolder({ folder }: { folder: DataFolder }) {
  const { t } = useI18n();
  const { failed } = useToasts();
  return (
    <Button
      aria-label={t(`settings.data.open.${folder}`)}
      onClick={() => void core.openFolder(folder).catch(failed)}
    >
      <FolderOpen size={14} aria-hidden />
      {t("settings.data.open")}
    </Button>
  );
}

export function Data({ status }: { status: AppStatus | undefined }) {
  const { t } = useI18n();
  return (
    <Part title={t("settings.data.title")} body={t("settings.data.body")}>
      {status && (
        <>
          <Setting name={t("settings.data.folder")}>
            <Path path={status.dataDir} />
            <OpenFolder folder="data" />
          </Setting>
          <Setting name={t("control.tab.backups")} note={t("settings.control.backups")}>
            <Link
              to="/control"
              search={{ part: "backups" }}
              className="inline-flex min-h-6 items-center rounded-sm text-ui text-accent hover:underline"
            >
              {t("settings.data.backups")}
            </Link>
            <OpenFolder folder="backups" />
          </Setting>
          <Setting name={t("settings.data.logs")} note={t("settings.data.logsBody")}>
            <Path path={status.logDir} />
            <OpenFolder folder="logs" />
          </Setting>
          <Setting name={t("settings.data.about")}>
            <span className="tabular text-ui text-ink-2">
              {t("settings.data.version", { version: status.version, sqlite: status.sqliteVersion })}
            </span>
          </Setting>
          <Updates />
        </>
      )}
    </Part>
  );
}
