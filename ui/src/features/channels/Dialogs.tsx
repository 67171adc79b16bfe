import { type FormEvent, useRef, useState } from "react";
import { Button } from "../../components/Button";
import { ChannelSelect } from "../../components/ChannelSelect";
import { TextField } from "../../components/Fields";
import { Modal } from "../../components/Modal";
import { useI18n } from "../../i18n/i18n";
import type { ChannelView } from "../../ipc/bindings.gen";
import { toCommandError } from "../../ipc/errors";

type ChannelDialogProps = {
  /** The one to change; null for a new one. */
  channel: ChannelView | null;
  onClose(): void;
  onSave(name: string, description: string): Promise<void>;
};

/** Asks for name and description. What the core refuses is said at the field, and what was typed stays. */
export function ChannelDialog({ channel, onClose, onSave }: ChannelDialogProps) {
  const { t } = useI18n();
  const [name, setName] = useState(channel?.name ?? "");
  const [description, setDescription] = useState(channel?.description ?? "");
  const [problem, setProblem] = useState<string | null>(null);
  const first = useRef<HTMLInputElement>(null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await onSave(name.trim(), description.trim());
      onClose();
    } catch (error) {
      setProblem(toCommandError(error).message);
      first.current?.focus();
    }
  };
  return (
    <Modal
      open
      onClose={onClose}
      title={channel ? t("channels.editTitle", { name: channel.name }) : t("channels.new")}
      initialFocus={first}
    >
      <form onSubmit={(event) => void send(event)} className="space-y-4">
        <TextField
          // The name of the one that is always there stays; its description may change.
          ref={channel?.isDefault ? undefined : first}
          label={`${t("channels.name")} (${t("channels.nameNote")})`}
          placeholder={t("channels.namePlaceholder")}
          value={name}
          maxLength={120}
          error={problem}
          disabled={channel?.isDefault}
          onChange={(event) => {
            setName(event.target.value);
            setProblem(null);
          }}
        />
        <TextField
          ref={channel?.isDefault ? first : undefined}
          label={t("channels.description")}
          value={description}
          maxLength={500}
          onChange={(event) => setDescription(event.target.value)}
        />
        <div className="flex justify-end gap-2 pt-2">
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button type="submit" look="primary" disabled={name.trim() === ""}>
            {t(channel ? "channels.save" : "channels.create")}
          </Button>
        </div>
      </form>
    </Modal>
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
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await onDelete(moveTo || null);
      onClose();
    } catch (error) {
      setProblem(toCommandError(error).message);
    }
  };
  return (
    <Modal
      open
      onClose={onClose}
      title={t("channels.deleteTitle", { name: channel.name })}
      body={
        empty
          ? t("channels.deleteEmpty")
          : t("channels.deleteBody", { conversations, memories: channel.memories })
      }
    >
      <form onSubmit={(event) => void send(event)} className="space-y-4">
        <div className={empty ? "hidden" : undefined}>
          <p className="mb-1 text-meta text-ink-2">{t("channels.moveTo")}</p>
          <ChannelSelect label={t("channels.moveTo")} value={moveTo} onChange={setMoveTo} channels={others} />
        </div>
        {problem && (
          <p role="alert" className="text-meta text-danger">
            {problem}
          </p>
        )}
        <div className="flex justify-end gap-2 pt-2">
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button type="submit" look="danger">
            {t("channels.deleteDo")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
