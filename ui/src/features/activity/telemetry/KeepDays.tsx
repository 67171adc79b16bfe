import { useQuery } from "@tanstack/react-query";
import { Settings2 } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../../../components/Button";
import { Count } from "../../../components/Count";
import { Popup } from "../../../components/Popup";
import { Failed } from "../../../components/States";
import { useWriteAhead } from "../../../components/useWriteAhead";
import { useI18n } from "../../../i18n/i18n";
import type { AgentTelemetrySettings } from "../../../ipc/bindings.gen";
import { core } from "../../../ipc/client";
import { keys } from "../../../ipc/keys";
import { agentTelemetrySettingsQuery } from "../../../ipc/queries";

const LIMITS = [7, 3_650] as const;

/** How many days actions are kept. */
export function KeepDays({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n();
  const [open, setOpen] = useState(false);
  const { data, error, refetch } = useQuery({ ...agentTelemetrySettingsQuery, enabled: open });
  const write = useWriteAhead<AgentTelemetrySettings>(
    keys.agentTelemetrySettings,
    core.setAgentTelemetrySettings,
  );
  return (
    <Popup
      open={open}
      onOpenChange={setOpen}
      title={t("telemetry.keep")}
      trigger={
        <IconButton label={t("telemetry.keep")}>
          <Settings2 size={16} aria-hidden />
        </IconButton>
      }
    >
      {error && !data && <Failed error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <div className="flex items-center justify-between gap-3">
            <p className="text-ui text-ink">{t("telemetry.keepDays")}</p>
            <Count
              label={t("telemetry.keepDays")}
              value={data.keepDays}
              limits={LIMITS}
              disabled={readOnly}
              onChange={(keepDays) => write({ keepDays })}
            />
          </div>
          <p className="mt-2 text-meta text-pretty text-ink-2">{t("telemetry.keepBody")}</p>
        </>
      )}
    </Popup>
  );
}
