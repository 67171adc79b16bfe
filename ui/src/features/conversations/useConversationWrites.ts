import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useToasts } from "../../components/toast";
import { useI18n } from "../../i18n/i18n";
import type { ConversationView, LensSpec, MessageView } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { keys } from "../../ipc/keys";
import { dropAnswer, expectAnswer } from "./transcript/live";
import { SALIENT } from "./transcript/Turn";

const RAISED = 0.9;
const USUAL = { user: 0.5, assistant: 0.5, tool: 0.3, system: 0.1 } as const;

/** Every write of the Conversations page. Each says what it did, or why it could not. */
export function useConversationWrites() {
  const { t } = useI18n();
  const { done, notify, failed } = useToasts();
  const client = useQueryClient();
  return useMemo(() => {
    const accept = (view: ConversationView) => {
      client.setQueryData(keys.conversation(view.refCode), view);
      return view;
    };
    const attempt = async <T>(work: Promise<T>, text?: string): Promise<T | null> => {
      try {
        const done = await work;
        if (text) notify(text);
        return done;
      } catch (error) {
        failed(error);
        return null;
      }
    };
    const change = async (work: Promise<ConversationView>, text: string) => {
      const view = await attempt(work, text);
      return view && accept(view);
    };
    const setLens = async (ref: string, lens: LensSpec) => {
      accept(await core.setConversationLens(ref, lens));
      // What the agent is shown is another thing now.
      void client.invalidateQueries({ queryKey: keys.conversationParts });
      void client.invalidateQueries({ queryKey: keys.oriented });
    };
    return {
      /** Throws what the core refuses, so that the form can show it. */
      setLens,
      clearLens: (ref: string) => attempt(setLens(ref, { knower: null, at: null })),
      /** Throws what the core refuses, so that the dialog can show it at the field. */
      start: async (channelId: string | null, title: string) =>
        accept(await core.startConversation(channelId, title)),
      rename: async (ref: string, title: string) => accept(await core.renameConversation(ref, title)),
      move: (ref: string, channelId: string, name: string) =>
        change(core.moveConversation(ref, channelId), t("conversation.done.moved", { name })),
      idle: (ref: string) => change(core.idleConversation(ref), t("conversation.done.idle")),
      archive: (ref: string) => change(core.archiveConversation(ref), t("conversation.done.archived")),
      resume: (ref: string) => change(core.continueConversation(ref), t("conversation.done.continued")),
      setModel: (ref: string, model: string | null) =>
        change(
          core.setConversationModel(ref, model),
          t(model === null ? "conversation.done.modelUsual" : "conversation.done.model", {
            model: model ?? "",
          }),
        ),
      /** A branch from before the message at a position. */
      branch: (ref: string, at: number) =>
        change(core.branchConversation(ref, at), t("conversation.done.branched")),
      remove: async (view: ConversationView) => {
        await core.deleteConversation(view.refCode);
        client.removeQueries({ queryKey: keys.transcripts });
        notify(t("conversation.done.deleted", { count: view.memories }));
      },
      say: async (view: ConversationView, text: string, files: readonly string[]) => {
        dropAnswer(view.id);
        const answer = await attempt(core.say(view.refCode, text, [...files]));
        if (answer?.answering) expectAnswer(view.id);
        if (answer?.error) failed(answer.error);
        return answer !== null;
      },
      again: async (view: ConversationView) => {
        dropAnswer(view.id);
        expectAnswer(view.id);
        try {
          await core.answerAgain(view.refCode);
        } catch (error) {
          dropAnswer(view.id);
          failed(error);
        }
      },
      stop: (view: ConversationView) => void attempt(core.cancelAnswer(view.refCode)),
      star: async (message: MessageView) => {
        const starred = message.importance >= SALIENT;
        await attempt(
          core.setMessageImportance(message.id, starred ? USUAL[message.role] : RAISED),
          t(starred ? "conversation.done.unstarred" : "conversation.done.starred"),
        );
      },
      /** Keeps a text of a message in the channel, as the worldbuilder's own memory that is made of it. */
      remember: async (view: ConversationView, message: MessageView, text: string) => {
        const written = await attempt(
          core.createMemory(
            {
              scope: "channel",
              channelId: view.channelId,
              conversationId: null,
              lifetime: "long_term",
              content: text,
              importance: 0.5,
              tags: [],
              madeOf: [`message:${message.id}`],
            },
            null,
          ),
        );
        if (written) done(t("conversation.done.remembered", { channel: view.channelName }), written.change);
      },
      compact: async (view: ConversationView, name: string) => {
        await core.compactConversation(view.refCode, null, name);
        // Behind the marker all is different: read the transcript anew.
        client.removeQueries({ queryKey: keys.transcripts, type: "inactive" });
        await client.resetQueries({ queryKey: keys.transcripts });
        notify(t("conversation.done.compacted"));
      },
    };
  }, [client, t, done, notify, failed]);
}

export type ConversationWrites = ReturnType<typeof useConversationWrites>;
