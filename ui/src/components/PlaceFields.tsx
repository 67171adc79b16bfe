import { useQuery } from "@tanstack/react-query";
import { useI18n } from "../i18n/i18n";
import type { MoveTarget, Scope } from "../ipc/bindings.gen";
import { channelsOf } from "../ipc/queries";
import { ConversationPicker, type Picked } from "./ConversationPicker";
import { Select } from "./Select";
import { TIERS } from "./Tier";
import { TierSelect } from "./TierSelect";

/** Where a memory belongs, while it is chosen. */
export type PlaceDraft = {
  /** Another world; the open one without it. */
  world?: string | null;
  scope: Scope;
  channel: string | null;
  conversation: Picked | null;
};

/** The tiers of another world that a memory can move to. */
const TIERS_ELSEWHERE: readonly Scope[] = ["workspace", "channel"];

/** Without a channel the core takes its default one. */
export const placeOf = ({ world = null, scope, channel, conversation }: PlaceDraft): MoveTarget => ({
  workspaceId: world,
  scope,
  channelId: scope === "channel" ? channel : null,
  conversationId: scope === "conversation" ? (conversation?.id ?? null) : null,
});

/** False while a conversation still has to be chosen. */
export const isPlaced = ({ scope, conversation }: PlaceDraft): boolean =>
  scope !== "conversation" || conversation !== null;

type PlaceFieldsProps = { value: PlaceDraft; onChange(patch: Partial<PlaceDraft>): void };

/** The tier, and the channel or the conversation in it. */
export function PlaceFields({ value, onChange }: PlaceFieldsProps) {
  const { t } = useI18n();
  const { data: channels = [] } = useQuery(channelsOf(value.world ?? null));
  return (
    <div className="flex flex-wrap items-center gap-2">
      <TierSelect
        tiers={value.world ? TIERS_ELSEWHERE : TIERS}
        value={value.scope}
        onChange={(scope) => onChange({ scope })}
      />
      {value.scope === "channel" ? (
        <Select
          label={t("create.channel")}
          value={value.channel ?? channels.find((it) => it.isDefault)?.id ?? ""}
          onChange={(channel) => onChange({ channel })}
          options={channels
            .filter((it) => it.archivedAt === null)
            .map((it) => ({ value: it.id, label: it.name }))}
        />
      ) : value.scope === "conversation" ? (
        <ConversationPicker
          value={value.conversation}
          onChange={(conversation) => onChange({ conversation })}
        />
      ) : (
        <span className="text-meta text-ink-3">{t(`tier.hint.${value.scope}`)}</span>
      )}
    </div>
  );
}
