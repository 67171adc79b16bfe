import { useState } from "react";
import { ChannelSelect } from "../../components/ChannelSelect";
import { Problem, TextField } from "../../components/Fields";
import { FormDialog } from "../../components/FormDialog";
import { useSubmit } from "../../components/useSubmit";
import { useI18n } from "../../i18n/i18n";
import type { ChannelView } from "../../ipc/bindings.gen";

type ChannelDialogProps = {
  /** The one to change; null for a new one. */
  channel: ChannelView | null;
  onClose(): void;
  onSave(name: string, description: string): Promise<void>;
};

/** Asks for name and description. */
export function ChannelDialog({ channel, onClose, onSave }: ChannelDialogProps) {
  const { t } = useI18n();
  const [name, setName] = useState(channel?.name ?? "");
  const [description, setDescription] = useState(channel?.description ?? "");
  const form = useSubmit(() => onSave(name.trim(), description.trim()), { onDone: onClose });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={channel ? t("channels.editTitle", { name: channel.name }) : t("channels.new")}
      submit={t(channel ? "channels.save" : "channels.create")}
      ready={name.trim() !== ""}
    >
      <TextField
        // The name of the one that is always there stays; its description may change.
        ref={channel?.isDefault ? undefined : form.field}
        label={`${t("channels.name")} (${t("channels.nameNote")})`}
        placeholder={t("channels.namePlaceholder")}
        value={name}
        maxLength={120}
        error={form.problem}
        disabled={channel?.isDefault}
        onChange={(event) => {
          setName(event.target.value);
          form.setProblem(null);
        }}
      />
      <TextField
        ref={channel?.isDefault ? form.field : undefined}
        label={t("channels.description")}
        value={description}
        maxLength={500}
        onChange={(event) => setDescription(event.target.value)}
      />
    </FormDialog>
  );
}

type DeleteProps = {
  channel: ChannelView;
  others: ChannelView[];
  onClose(): void;
  onDelete(moveTo: string | null): Promise<void>;
};

/** What is in a channel outlives it: it moves to another one. */
export function DeleteDialog({ channel, others, onClose, onDelete }: DeleteProps) {
  const { t } = useI18n();
  const conversations = channel.conversations + channel.archivedConversations;
  const empty = conversations + channel.memories === 0;
  const [moveTo, setMoveTo] = useState(others[0]?.id ?? "");
  const form = useSubmit(() => onDelete(moveTo || null), { onDone: onClose });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("channels.deleteTitle", { name: channel.name })}
      body={
        empty
          ? t("channels.deleteEmpty")
          : t("channels.deleteBody", { conversations, memories: channel.memories })
      }
      submit={t("channels.deleteDo")}
      look="danger"
    >
      <div className={empty ? "hidden" : undefined}>
        <p className="mb-1 text-meta text-ink-2">{t("channels.moveTo")}</p>
        <ChannelSelect label={t("channels.moveTo")} value={moveTo} onChange={setMoveTo} channels={others} />
      </div>
      <Problem>{form.problem}</Problem>
    </FormDialog>
  );
}
