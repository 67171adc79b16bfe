import { useMemo } from "react";
import { type Action, useActions } from "../../components/actions";
import { useLatest } from "../../components/hooks";
import { useI18n } from "../../i18n/i18n";
import type { ConversationStatus } from "../../ipc/bindings.gen";

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
  end?(): void;
  archive?(): void;
  resume?(): void;
  compact?(): void;
  remove?(): void;
  beside?(): void;
  shown?(): void;
};

/** What the Conversations page adds to the command palette and the keyboard. */
export function useTalkActions(inputs: Inputs | undefined): void {
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
            id: "talk.new",
            group: "conversation",
            label: t("talk.new"),
            keys: "n",
            enabled: !readOnly,
            run: run("startNew"),
          },
          {
            id: "talk.search",
            group: "conversation",
            label: t("talk.search"),
            keys: "/ mod+f",
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
        keys?: string,
      ): Action => ({ id, group: "conversation", label, keys, enabled, run: run(name) });
      return [
        offer("talk.write", t("command.talkWrite"), "write", !ended && !readOnly, "c"),
        offer("talk.stop", t("command.talkStop"), "stop", answering),
        offer("talk.rename", t("talk.rename"), "rename", !readOnly),
        offer("talk.end", t("talk.end"), "end", !ended && !readOnly),
        offer("talk.resume", t("command.talkContinue"), "resume", ended && !readOnly),
        offer("talk.archive", t("command.talkArchive"), "archive", status !== "archived" && !readOnly),
        offer("talk.compact", t("talk.compact"), "compact", !readOnly),
        offer("talk.delete", t("command.talkDelete"), "remove", !readOnly),
        offer("talk.beside", t("talk.beside"), "beside", true, "b"),
        offer("talk.shown", t("talk.silence.shown"), "shown", true),
      ];
    }, [t, latest, page, readOnly, status, answering]),
  );
}
