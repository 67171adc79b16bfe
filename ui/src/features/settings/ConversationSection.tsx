import { useQuery } from "@tanstack/react-query";
import { Count } from "../../components/Count";
import { Switch } from "../../components/Fields";
import { Part, Setting } from "../../components/Parts";
import { Failed } from "../../components/States";
import { useWriteAhead } from "../../components/useWriteAhead";
import { useI18n } from "../../i18n/i18n";
import type { ConversationSettings } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { keys } from "../../ipc/keys";
import { conversationSettingsQuery } from "../../ipc/queries";

const NUMBERS = ["compactAtTokens", "retainTurns", "summariseEveryHours", "workingMemoryCap"] as const;
const LIMITS = {
  compactAtTokens: [1_000, 1_000_000],
  retainTurns: [2, 500],
  summariseEveryHours: [1, 720],
  workingMemoryCap: [1, 1_000],
} as const;

export function ConversationSection({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n();
  const query = useQuery(conversationSettingsQuery);
  const settings = query.data;
  const write = useWriteAhead<ConversationSettings>(keys.conversationSettings, core.setConversationSettings);
  return (
    <Part title={t("settings.conversation.title")} body={t("settings.conversation.body")}>
      {query.error && !settings && <Failed error={query.error} onRetry={() => void query.refetch()} />}
      {settings && (
        <>
          <Setting
            name={t("settings.conversation.keepOnlySummaries")}
            note={t(
              settings.keepOnlySummaries
                ? "settings.conversation.keepOnlySummariesOn"
                : "settings.conversation.keepOnlySummariesOff",
            )}
          >
            <Switch
              label={t("settings.conversation.keepOnlySummaries")}
              checked={settings.keepOnlySummaries}
              disabled={readOnly}
              onChange={(keepOnlySummaries) => void write({ ...settings, keepOnlySummaries })}
            />
          </Setting>
          <Setting
            name={t("settings.conversation.modelTitles")}
            note={t("settings.conversation.modelTitlesBody")}
          >
            <Switch
              label={t("settings.conversation.modelTitles")}
              checked={settings.modelTitles}
              disabled={readOnly}
              onChange={(modelTitles) => void write({ ...settings, modelTitles })}
            />
          </Setting>
          {NUMBERS.map((field) => (
            <Setting
              key={field}
              name={t(`settings.conversation.${field}`)}
              note={t(`settings.conversation.${field}Body`)}
            >
              <Count
                label={t(`settings.conversation.${field}`)}
                value={settings[field]}
                limits={LIMITS[field]}
                disabled={readOnly}
                onChange={(value) => void write({ ...settings, [field]: value })}
              />
            </Setting>
          ))}
        </>
      )}
    </Part>
  );
}
