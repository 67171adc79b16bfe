import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Count } from "../../../components/Count";
import { Part, Setting } from "../../../components/Parts";
import { Failed } from "../../../components/States";
import { useWriteAhead } from "../../../components/useWriteAhead";
import { useI18n } from "../../../i18n/i18n";
import type { BackupSettings } from "../../../ipc/bindings.gen";
import { core } from "../../../ipc/client";
import { keys } from "../../../ipc/keys";
import { backupSettingsQuery } from "../../../ipc/queries";

const LIMITS = { everyMinutes: [0, 1_440], maxMegabytes: [50, 1_000_000] } as const;
const FIELDS = ["everyMinutes", "maxMegabytes"] as const;

/** How often backups are made and how much room they may take. */
export function BackupSettingsPart({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(backupSettingsQuery);
  const write = useWriteAhead<BackupSettings>(keys.backupSettings, async (next) => {
    await core.setBackupSettings(next);
    // A smaller room may have removed some.
    void client.invalidateQueries({ queryKey: keys.backups });
  });
  return (
    <div className="mt-4 max-w-190 [&>section]:border-t-0">
      <Part title={t("backup.settings")}>
        {error && !data && <Failed error={error} onRetry={() => void refetch()} />}
        {data &&
          FIELDS.map((field) => (
            <Setting key={field} name={t(`backup.${field}`)} note={t(`backup.${field}Body`)}>
              <Count
                label={t(`backup.${field}`)}
                value={data[field]}
                limits={LIMITS[field]}
                disabled={readOnly}
                onChange={(value) => write({ ...data, [field]: value })}
              />
            </Setting>
          ))}
      </Part>
    </div>
  );
}
