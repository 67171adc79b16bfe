import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/Button";
import { ChannelSelect } from "../../components/ChannelSelect";
import { Labelled, TextField } from "../../components/Fields";
import { FormDialog, FormField } from "../../components/FormDialog";
import { Modal } from "../../components/Modal";
import { Failed } from "../../components/States";
import { useSubmit } from "../../components/useSubmit";
import { useI18n } from "../../i18n/i18n";
import type { ConversationView } from "../../ipc/bindings.gen";
import { branchesQuery, channelsQuery, compactionQuery } from "../../ipc/queries";
import { useTitle } from "./StatusMark";

type NewProps = {
  channel: string | undefined;
  onClose(): void;
  onStart(channelId: string | null, title: string): Promise<void>;
};

export function NewDialog({ channel, onClose, onStart }: NewProps) {
  const { t } = useI18n();
  const { data: all = [] } = useQuery(channelsQuery);
  const channels = all.filter((it) => it.archivedAt === null);
  const [chosen, setChosen] = useState(channel);
  const [title, setTitle] = useState("");
  const usual = channels.find((it) => it.isDefault)?.id ?? "";
  const channelId = channels.some((it) => it.id === chosen) ? (chosen ?? usual) : usual;
  const form = useSubmit(() => onStart(channelId || null, title.trim()), { onDone: onClose });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("conversation.new")}
      body={t("conversation.newBody")}
      submit={t("conversation.start")}
    >
      <FormField
        form={form}
        label={t("conversation.titleOptional")}
        placeholder={t("conversation.titlePlaceholder")}
        value={title}
        maxLength={200}
        onChange={setTitle}
      />
      <Labelled label={t("conversation.channel")}>
        <ChannelSelect
          label={t("conversation.channel")}
          value={channelId}
          onChange={setChosen}
          channels={channels}
        />
      </Labelled>
    </FormDialog>
  );
}

type DeleteProps = {
  conversation: ConversationView;
  onClose(): void;
  onDelete(): Promise<void>;
};

/** What was said has no undo: the reference code must be typed before the button wakes up. */
export function DeleteDialog({ conversation, onClose, onDelete }: DeleteProps) {
  const { t } = useI18n();
  const title = useTitle();
  const [typed, setTyped] = useState("");
  const { refCode, messages, memories } = conversation;
  const { data: branches = [] } = useQuery(branchesQuery(refCode));
  const form = useSubmit(onDelete, { onDone: onClose });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("conversation.deleteTitle", { title: title(conversation) })}
      body={t("conversation.deleteBody", { messages, memories })}
      submit={t("conversation.deleteDo")}
      look="danger"
      ready={typed === refCode}
    >
      {branches.length > 0 && (
        <p className="text-ui text-danger">{t("conversation.deleteBranches", { count: branches.length })}</p>
      )}
      <TextField
        label={t("conversation.deleteType", { ref: refCode })}
        placeholder={refCode}
        value={typed}
        error={form.problem}
        onChange={(event) => setTyped(event.target.value.trim())}
      />
    </FormDialog>
  );
}

type CompactProps = {
  conversation: ConversationView;
  onClose(): void;
  onCompact(name: string): Promise<void>;
};

/** Shows what a compaction would do before it does it. */
export function CompactDialog({ conversation, onClose, onCompact }: CompactProps) {
  const { t } = useI18n();
  const { data, error, isPending, refetch } = useQuery(compactionQuery(conversation.refCode));
  const [name, setName] = useState<string | null>(null);
  const chosen = name ?? data?.name ?? "";
  const form = useSubmit(() => onCompact(chosen.trim()), { onDone: onClose });
  return (
    <Modal
      open
      onClose={onClose}
      title={t("conversation.compactTitle")}
      body={t("conversation.compactBody")}
      wide
    >
      {error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : isPending ? (
        <div role="status" aria-label={t("state.loading")} className="skeleton h-32" />
      ) : data === null ? (
        <>
          <p className="text-lead text-ink">{t("conversation.compactNothing")}</p>
          <div className="mt-6 flex justify-end">
            <Button onClick={onClose}>{t("action.back")}</Button>
          </div>
        </>
      ) : (
        <form onSubmit={form.onSubmit} className="space-y-4">
          <p className="tabular text-lead text-ink">
            {t("conversation.compactWhat", {
              messages: data.messages,
              before: data.tokensBefore,
              after: data.tokensAfter,
            })}
          </p>
          <Labelled label={t(`conversation.compactMaker.${data.maker}`)}>
            <p className="max-h-48 overflow-y-auto border-l-2 border-line pl-4 font-serif text-snippet text-ink">
              {data.summary}
            </p>
          </Labelled>
          <TextField
            label={t("conversation.compactName")}
            value={chosen}
            maxLength={200}
            error={form.problem}
            onChange={(event) => setName(event.target.value)}
          />
          <p className={data.deletesMessages ? "text-ui text-danger" : "text-ui text-ink-2"}>
            {t(data.deletesMessages ? "conversation.compactDeletes" : "conversation.compactKeeps")}
          </p>
          <div className="flex justify-end gap-2 pt-2">
            <Button onClick={onClose}>{t("action.cancel")}</Button>
            <Button type="submit" look="primary" disabled={form.isSending || chosen.trim() === ""}>
              {t("conversation.compactDo")}
            </Button>
          </div>
        </form>
      )}
    </Modal>
  );
}
