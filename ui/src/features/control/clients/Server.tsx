import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleAlert, Copy } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../../../components/Button";
import { Count } from "../../../components/Count";
import { Switch } from "../../../components/Fields";
import { Failed } from "../../../components/States";
import { useToasts } from "../../../components/toast";
import { useCopy } from "../../../components/useCopy";
import { useI18n } from "../../../i18n/i18n";
import { core } from "../../../ipc/client";
import { keys } from "../../../ipc/keys";
import { mcpQuery } from "../../../ipc/queries";

const PORTS = [1_024, 65_535] as const;

/** The server that AI clients on this computer come through: its switch, port and state. */
export function Server({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n();
  const cache = useQueryClient();
  const copy = useCopy();
  const { failed } = useToasts();
  const { data, error, refetch } = useQuery(mcpQuery);
  const [busy, setBusy] = useState(false);
  const set = async (enabled: boolean, port: number) => {
    setBusy(true);
    try {
      cache.setQueryData(keys.mcp, await core.setMcp(enabled, port));
      void cache.invalidateQueries({ queryKey: ["clientSnippets"] });
    } catch (thrown) {
      failed(thrown);
      void refetch();
    }
    setBusy(false);
  };
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="skeleton h-14 w-full" />;
  const state = !data.enabled ? "off" : data.running ? "on" : "failed";
  return (
    <section
      aria-label={t("clients.server")}
      className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3 border-b border-line pb-6"
    >
      <div className="min-w-0">
        <h2 className="text-lead font-strong text-ink">{t("clients.server")}</h2>
        <div role="status">
          <p className={`mt-0.5 text-ui ${state === "failed" ? "text-danger" : "text-ink-2"}`}>
            {t(`clients.server.${state}`)}
          </p>
          {data.message !== null && (
            <p className="mt-1 flex items-center gap-1.5 text-ui text-warn">
              <CircleAlert size={14} className="shrink-0" aria-hidden />
              {data.message}
            </p>
          )}
        </div>
        {data.running && data.url !== null && (
          <p className="mt-1 flex items-center gap-1">
            <code className="font-mono text-meta text-ink select-text">{data.url}</code>
            <IconButton
              className="size-6!"
              label={t("clients.server.copy")}
              onClick={() => copy(data.url ?? "")}
            >
              <Copy size={13} aria-hidden />
            </IconButton>
          </p>
        )}
      </div>
      <div className="flex items-start gap-6">
        <div className="flex items-start gap-2">
          <span className="pt-1.5 text-ui text-ink-2">{t("clients.server.port")}</span>
          <Count
            label={t("clients.server.port")}
            value={data.wantedPort}
            limits={PORTS}
            disabled={readOnly || busy}
            onChange={(port) => set(data.enabled, port)}
          />
        </div>
        <span className="pt-1">
          <Switch
            label={t("clients.server.switch")}
            checked={data.enabled}
            disabled={readOnly}
            onChange={(enabled) => !busy && void set(enabled, data.wantedPort)}
          />
        </span>
      </div>
    </section>
  );
}
