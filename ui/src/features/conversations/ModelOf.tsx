import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import { Menu, MenuItem, MenuLine } from "../../components/Menu";
import { useI18n } from "../../i18n/i18n";
import type { ChatEndpoint, ConversationView } from "../../ipc/bindings.gen";
import { toCommandError } from "../../ipc/errors";
import { chatSettingsQuery, endpointModelsQuery } from "../../ipc/queries";
import type { ConversationWrites } from "./useConversationWrites";

type ModelOfProps = { conversation: ConversationView; readOnly: boolean; writes: ConversationWrites };

/** The model that answers here: the one of all conversations, or one that this conversation names. */
export function ModelOf({ conversation, readOnly, writes }: ModelOfProps) {
  const { t } = useI18n();
  const endpoint = useQuery(chatSettingsQuery).data?.endpoint ?? null;
  const { model, refCode } = conversation;
  if (!endpoint && !model) return null;
  const lost = model !== null && model.address !== endpoint?.baseUrl;
  const name = model?.model ?? endpoint?.model ?? "";
  const choose = (next: string | null) => void writes.setModel(refCode, next);
  return (
    <Menu
      trigger={
        <button
          type="button"
          disabled={readOnly}
          aria-label={t("conversation.modelIs", { model: name })}
          title={lost ? t("conversation.modelLost", { address: model.address }) : t("conversation.model")}
          className={clsx(
            "inline-flex min-h-6 max-w-60 items-center gap-1 rounded-sm px-1 text-meta hover:text-ink disabled:opacity-60",
            lost ? "text-danger" : model ? "text-ink-2" : "text-ink-3",
          )}
        >
          <span className="truncate">{name}</span>
          <ChevronDown size={11} aria-hidden />
        </button>
      }
    >
      <MenuItem onSelect={() => choose(null)}>
        {endpoint ? t("conversation.modelUsual", { model: endpoint.model }) : t("conversation.modelNone")}
      </MenuItem>
      {endpoint && <Offered endpoint={endpoint} onChoose={choose} />}
    </Menu>
  );
}

/** The models that the endpoint offers, asked for when the menu opens. */
function Offered({ endpoint, onChoose }: { endpoint: ChatEndpoint; onChoose(model: string): void }) {
  const { t } = useI18n();
  const { data, error } = useQuery(endpointModelsQuery(endpoint));
  const note = error ? toCommandError(error).message : data ? null : t("state.loading");
  return (
    <>
      <MenuLine />
      {note !== null && (
        <p role="status" className="px-2 py-1 text-meta text-ink-2">
          {note}
        </p>
      )}
      {data?.models.map((model) => (
        <MenuItem key={model} onSelect={() => onChoose(model)}>
          {model}
        </MenuItem>
      ))}
    </>
  );
}
