import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { ConversationPicker } from "../../../components/ConversationPicker";
import { Checkbox } from "../../../components/Fields";
import { Table } from "../../../components/Table";
import { TIERS, TierIcon } from "../../../components/Tier";
import { useI18n } from "../../../i18n/i18n";
import type { ClientCapability, ClientGrants, ClientView, Scope } from "../../../ipc/bindings.gen";
import { channelsQuery, conversationQuery, statusQuery } from "../../../ipc/queries";
import { GrantLens } from "./GrantLens";
import { useClientWrites } from "./useClientWrites";

const VERBS = ["read", "write"] as const;
type GrantVerb = (typeof VERBS)[number];
const CAPABILITIES: readonly ClientCapability[] = [
  "propose",
  "memory_switch",
  "scrub_preview",
  "scrub_execute",
  "agent_telemetry",
  "read_pages",
];

const toggled = <T,>(list: readonly T[], item: T, on: boolean): T[] =>
  on ? [...list.filter((it) => it !== item), item] : list.filter((it) => it !== item);

/** Tier by verb, and what else a client may do. Each change holds at once. */
export function Grants({ client, disabled }: { client: ClientView; disabled: boolean }) {
  const { t } = useI18n();
  const writes = useClientWrites();
  const { grants } = client;
  const set = (patch: Partial<ClientGrants>) => void writes.grant(client, patch);
  const of = (scope: Scope) => grants.tiers.find((it) => it.scope === scope);
  const allow = (scope: Scope, verb: GrantVerb, on: boolean) =>
    set({ tiers: grants.tiers.map((it) => (it.scope === scope ? { ...it, [verb]: on } : it)) });
  const any = (scope: Scope) => of(scope)?.read || of(scope)?.write;
  return (
    <fieldset disabled={disabled} className="min-w-0">
      <legend className="sr-only">{t("clients.grants")}</legend>
      <Table
        className="w-full max-w-140"
        columns={[
          { label: t("clients.grants.tier") },
          ...VERBS.map((verb) => ({ label: t(`clients.verb.${verb}`), width: "w-20" })),
        ]}
      >
        {TIERS.map((scope) => (
          <tr key={scope} className="border-b border-line [&>*]:px-3 [&>*]:py-2">
            <th scope="row" className="text-left font-normal">
              <span className="flex items-center gap-2 text-ink">
                <TierIcon scope={scope} size={15} />
                {t(`tier.${scope}`)}
                <span className="text-meta text-ink-2">{t(`clients.tier.${scope}`)}</span>
              </span>
            </th>
            {VERBS.map((verb) => (
              <td key={verb}>
                <Checkbox
                  checked={of(scope)?.[verb] ?? false}
                  disabled={disabled}
                  onChange={(on) => allow(scope, verb, on)}
                >
                  <span className="sr-only">
                    {t("clients.may", { verb: t(`clients.verb.${verb}`), tier: t(`tier.${scope}`) })}
                  </span>
                </Checkbox>
              </td>
            ))}
          </tr>
        ))}
      </Table>
      {any("channel") && (
        <Channels client={client} disabled={disabled} onChange={(channels) => set({ channels })} />
      )}
      {any("conversation") && (
        <Conversations
          client={client}
          disabled={disabled}
          onChange={(conversations) => set({ conversations })}
        />
      )}
      <GrantLens client={client} disabled={disabled} onChange={(lens) => set({ lens })} />
      <h4 className="mt-6 text-meta text-ink-2">{t("clients.capabilities")}</h4>
      <ul className="mt-2 grid gap-x-8 gap-y-3 sm:grid-cols-2">
        {CAPABILITIES.map((it) => (
          <li key={it}>
            <Checkbox
              checked={grants.capabilities.includes(it)}
              disabled={disabled}
              onChange={(on) => set({ capabilities: toggled(grants.capabilities, it, on) })}
            >
              {t(`clients.capability.${it}`)}
              <span className="block text-meta text-pretty text-ink-2">
                {t(`clients.capability.${it}Body`)}
              </span>
            </Checkbox>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

type ChannelsProps = { client: ClientView; disabled: boolean; onChange(channels: string[]): void };

/** Where the grants on channels reach. Only the channels of the open workspace can be named. */
function Channels({ client, disabled, onChange }: ChannelsProps) {
  const { t } = useI18n();
  const here = useQuery(statusQuery).data?.workspace?.id === client.workspaceId;
  const { data = [] } = useQuery({ ...channelsQuery, enabled: here });
  const { channels } = client.grants;
  return (
    <>
      <h4 className="mt-6 text-meta text-ink-2">{t("clients.channels")}</h4>
      {here ? (
        <ul aria-label={t("clients.channels")} className="mt-2 flex flex-wrap gap-x-6 gap-y-2">
          {data
            .filter((it) => it.archivedAt === null || channels.includes(it.id))
            .map((it) => (
              <li key={it.id}>
                <Checkbox
                  checked={channels.includes(it.id)}
                  disabled={disabled}
                  onChange={(on) => onChange(toggled(channels, it.id, on))}
                >
                  #{it.name}
                </Checkbox>
              </li>
            ))}
        </ul>
      ) : (
        <p className="mt-1 text-ui text-ink-2">
          {t("clients.channelsElsewhere", { count: channels.length, workspace: client.workspaceName })}
        </p>
      )}
      {channels.length === 0 && <Nowhere>{t("clients.channelsNone")}</Nowhere>}
    </>
  );
}

type ConversationsProps = {
  client: ClientView;
  disabled: boolean;
  onChange(conversations: string[]): void;
};

/** Where the grants on conversations reach: a channel opens none of its conversations. */
function Conversations({ client, disabled, onChange }: ConversationsProps) {
  const { t } = useI18n();
  const here = useQuery(statusQuery).data?.workspace?.id === client.workspaceId;
  const { conversations } = client.grants;
  return (
    <>
      <h4 className="mt-6 text-meta text-ink-2">{t("clients.conversations")}</h4>
      {here ? (
        <>
          <ul aria-label={t("clients.conversations")} className="mt-2 grid gap-y-2">
            {conversations.map((id) => (
              <li key={id}>
                <Checkbox
                  checked
                  disabled={disabled}
                  onChange={() => onChange(toggled(conversations, id, false))}
                >
                  <ConversationName id={id} />
                </Checkbox>
              </li>
            ))}
          </ul>
          {!disabled && (
            <div className="mt-2">
              <ConversationPicker
                value={null}
                onChange={({ id }) => onChange(toggled(conversations, id, true))}
              />
            </div>
          )}
        </>
      ) : (
        <p className="mt-1 text-ui text-ink-2">
          {t("clients.conversationsElsewhere", {
            count: conversations.length,
            workspace: client.workspaceName,
          })}
        </p>
      )}
      {conversations.length === 0 && <Nowhere>{t("clients.conversationsNone")}</Nowhere>}
    </>
  );
}

function ConversationName({ id }: { id: string }) {
  const { t } = useI18n();
  const { data, isError } = useQuery(conversationQuery(id));
  if (isError) return t("clients.conversationGone");
  return data ? `${data.title || t("pick.untitled")} · #${data.channelName} · ${data.refCode}` : "…";
}

function Nowhere({ children }: { children: ReactNode }) {
  return (
    <p className="mt-2 flex items-center gap-1.5 text-ui text-warn">
      <TriangleAlert size={14} className="shrink-0" aria-hidden />
      {children}
    </p>
  );
}
