import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Count } from "../../components/Count";
import { Switch } from "../../components/Fields";
import { Part, Setting } from "../../components/Parts";
import { Failed } from "../../components/States";
import { useWriteAhead } from "../../components/useWriteAhead";
import { useI18n } from "../../i18n/i18n";
import type { ConsolidationSettings } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { keys } from "../../ipc/keys";
import { consolidationSettingsQuery } from "../../ipc/queries";
import { useWanted } from "./useWanted";

const NUMBERS = ["idleMinutes", "queueDepth", "cap"] as const;
const LIMITS = {
  idleMinutes: [1, 1_440],
  queueDepth: [1, 100_000],
  cap: [0, 1_000_000],
} as const;

export function ConsolidationSection({ readOnly, wanted }: { readOnly: boolean; wanted: boolean }) {
  const { t } = useI18n();
  const query = useQuery(consolidationSettingsQuery);
  const write = useWriteAhead<ConsolidationSettings>(
    keys.consolidationSettings,
    core.setConsolidationSettings,
  );
  const place = useWanted(wanted, query);
  const settings = query.data;
  return (
    <div ref={place}>
      <Part title={t("settings.tidy.title")} body={t("settings.tidy.body")}>
        {query.error && !settings && <Failed error={query.error} onRetry={() => void query.refetch()} />}
        {settings && (
          <>
            <Setting name={t("settings.tidy.automatic")} note={t("settings.tidy.automaticBody")}>
              <Switch
                label={t("settings.tidy.automatic")}
                checked={settings.automatic}
                disabled={readOnly}
                onChange={(automatic) => void write({ ...settings, automatic })}
              />
            </Setting>
            {NUMBERS.map((field) => (
              <Setting key={field} name={t(`settings.tidy.${field}`)} note={t(`settings.tidy.${field}Body`)}>
                <Count
                  label={t(`settings.tidy.${field}`)}
                  value={settings[field]}
                  limits={LIMITS[field]}
                  disabled={readOnly || (field !== "cap" && !settings.automatic)}
                  onChange={(value) => void write({ ...settings, [field]: value })}
                />
              </Setting>
            ))}
            <Setting name={t("settings.tidy.rewrite")} note={t("settings.tidy.rewriteBody")}>
              <Switch
                label={t("settings.tidy.rewrite")}
                checked={settings.rewrite}
                disabled={readOnly}
                onChange={(rewrite) => void write({ ...settings, rewrite })}
              />
            </Setting>
            <Link
              to="/activity"
              search={{ page: "runs", preview: true }}
              className="mt-2 inline-flex min-h-6 items-center rounded-sm text-ui text-accent hover:underline"
            >
              {t("settings.tidy.open")}
            </Link>
          </>
        )}
      </Part>
    </div>
  );
}
