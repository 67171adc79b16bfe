import { useMemo } from "react";
import { type Action, useActions } from "../../components/actions";
import { useLatest } from "../../components/hooks";
import { useI18n } from "../../i18n/i18n";
import type { ConversationStatus } from "../../ipc/bindings.gen";
import { canPickFolder } from "../../ipc/window";

type Inputs = {
  readOnly: boolean;
  startNew?(): void;
  focusSearch?(): void;
  openImport?(): void;
  status?: ConversationStatus;
  answering?: boolean;
  rename?(): void;
  stop?(): void;
  write?(): void;
  attach?(): void;
  end?(): void;
  archive?(): void;
  resume?(): void;
  compact?(): void;
  remove?(): void;
  panel?(): void;
  shown?(): void;
};

/** What the Conversations page adds to the command palette and the keyboard. */
export function useConversationActions(inputs: Inputs | undefined): void {
  const { t } = useI18n();
  const latest = useLatest(inputs);
  const readOnly = inputs?.readOnly ?? true;
  const { status, answering = false } = inputs ?? {};
  const page = inputs?.startNew !== undefined;
  useActions(
    useMemo((): Action[] => {
      const run = (name: Exclude<keyof Inputs, "readOnly" | "status" | "answering">) => () =>
        latest.current?.[name]?.();
      if (page) {
        return [
          {
            id: "conversation.new",
            group: "conversation",
            label: t("conversation.new"),
            enabled: !readOnly,
            run: run("startNew"),
          },
          {
            id: "conversation.search",
            group: "conversation",
            label: t("conversation.search"),
            run: run("focusSearch"),
          },
        ];
      }
      if (status === undefined) return [];
      const ended = status !== "active";
      const offer = (
        id: string,
        label: string,
        name: Parameters<typeof run>[0],
        enabled: boolean,
      ): Action => ({ id, group: "conversation", label, enabled, run: run(name) });
      return [
        offer("conversation.write", t("command.talkWrite"), "write", !ended && !readOnly),
        offer(
          "conversation.attach",
          t("conversation.attach"),
          "attach",
          !ended && !readOnly && canPickFolder(),
        ),
        offer("conversation.stop", t("command.talkStop"), "stop", answering),
        offer("conversation.rename", t("conversation.rename"), "rename", !readOnly),
        offer("conversation.end", t("conversation.end"), "end", !ended && !readOnly),
        offer("conversation.resume", t("command.talkContinue"), "resume", ended && !readOnly),
        offer(
          "conversation.archive",
          t("command.talkArchive"),
          "archive",
          status !== "archived" && !readOnly,
        ),
        offer("conversation.compact", t("conversation.compact"), "compact", !readOnly),
        offer("conversation.delete", t("command.talkDelete"), "remove", !readOnly),
        offer("conversation.panel", t("conversation.panel"), "panel", true),
        offer("conversation.shown", t("conversation.silence.shown"), "shown", true),
      ];
    }, [t, latest, page, readOnly, status, answering]),
  );
}
