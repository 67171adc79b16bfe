import { clsx } from "clsx";
import { ArrowUp, Paperclip, Square } from "lucide-react";
import { type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useState } from "react";
import { Button, IconButton } from "../../components/Button";
import { useFileTaker } from "../../components/fileTaker";
import { Keys } from "../../components/Keys";
import { useI18n } from "../../i18n/i18n";
import type { ConversationView } from "../../ipc/bindings.gen";
import { canPickFolder } from "../../ipc/window";
import { useSpelling } from "../../preferences/useSpelling";
import { useZoomFactor } from "../../preferences/zoom";
import { AttachedFiles } from "./AttachedFiles";
import { AttachPage } from "./AttachPage";
import { attachFiles, detachFile, getUnsent, settleUnsent, setUnsent, useUnsent } from "./drafts";
import { useAttach } from "./useAttach";

type ComposerProps = {
  conversation: ConversationView;
  answering: boolean;
  readOnly: boolean;
  input: RefObject<HTMLTextAreaElement | null>;
  takeInput(element: HTMLTextAreaElement | null): void;
  onSay(text: string, files: readonly string[]): Promise<boolean>;
  onStop(): void;
  onContinue(): void;
};

/** In pixels of the design. */
const MAX_HEIGHT = 208;

/** Where the worldbuilder writes. What is not said yet is kept with its conversation. */
export function Composer(props: ComposerProps) {
  const { conversation, answering, readOnly, input, takeInput, onSay, onStop, onContinue } = props;
  const { t } = useI18n();
  const text = useUnsent(conversation.id);
  const { files, attach } = useAttach(conversation.id);
  const zoom = useZoomFactor();
  const spelling = useSpelling();
  const [busy, setBusy] = useState(false);
  const add = useCallback(
    (paths: readonly string[]) => {
      attachFiles(conversation.id, paths);
      input.current?.focus();
    },
    [conversation.id, input],
  );
  useFileTaker(conversation.status === "active" && !readOnly ? add : null);

  // As high as its words, up to a few lines.
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again with every change of the words
  useLayoutEffect(() => {
    const box = input.current;
    if (!box) return;
    box.style.height = "auto";
    box.style.height = `${Math.min(MAX_HEIGHT * zoom, box.scrollHeight)}px`;
  }, [text, input, zoom]);

  if (conversation.status !== "active") {
    return (
      <div className="border-t border-line px-8 py-4">
        <div className="mx-auto flex max-w-[calc(var(--measure)+0.8125rem)] flex-wrap items-center gap-4 pl-4">
          <p className="mr-auto text-ui text-ink-2">
            {t(
              conversation.status === "archived" ? "conversation.ended.archived" : "conversation.ended.idle",
            )}
          </p>
          <Button look="primary" disabled={readOnly} onClick={onContinue}>
            {t("conversation.continue")}
          </Button>
        </div>
      </div>
    );
  }

  const send = async () => {
    const sent = getUnsent(conversation.id);
    const words = sent.text.trim();
    if (words === "" || busy || answering || readOnly) return;
    setBusy(true);
    // Kept until the core has them: what could not be said is not lost.
    if (await onSay(words, sent.files)) settleUnsent(conversation.id, sent);
    setBusy(false);
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void send();
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      className="border-t border-line px-8 pt-3 pb-3"
    >
      <div className="mx-auto max-w-[calc(var(--measure)+0.8125rem)]">
        <div className="rounded-md border border-line-strong bg-raised py-1 focus-within:border-accent focus-within:outline-1 focus-within:outline-accent">
          <AttachedFiles
            files={files}
            onRemove={(path) => {
              detachFile(conversation.id, path);
              input.current?.focus();
            }}
          />
          <div className={clsx("flex items-end gap-2 pr-1", canPickFolder() ? "pl-1" : "pl-4")}>
            {canPickFolder() && (
              <IconButton
                label={t("conversation.attach")}
                className="size-9 shrink-0"
                disabled={readOnly}
                onClick={() => void attach()}
              >
                <Paperclip size={16} aria-hidden />
              </IconButton>
            )}
            {/* Under a lens the agent is shown no pages. */}
            {conversation.lens === null && (
              <AttachPage disabled={readOnly} onAttach={(path) => add([path])} />
            )}
            <textarea
              ref={takeInput}
              {...spelling}
              rows={1}
              value={text}
              disabled={readOnly}
              aria-label={t("conversation.say")}
              placeholder={t("conversation.placeholder")}
              onChange={(event) => setUnsent(conversation.id, event.target.value)}
              onKeyDown={onKeyDown}
              className="min-h-9 w-full resize-none bg-transparent py-1.5 font-serif text-prose leading-normal text-ink outline-none placeholder:text-ink-3 disabled:opacity-60"
            />
            {answering ? (
              <Button className="h-9 shrink-0" onClick={onStop}>
                <Square size={12} fill="currentColor" aria-hidden />
                {t("conversation.stop")}
              </Button>
            ) : (
              <Button
                type="submit"
                look="primary"
                className="h-9 shrink-0"
                disabled={busy || readOnly || text.trim() === ""}
              >
                <ArrowUp size={14} aria-hidden />
                {t("conversation.send")}
              </Button>
            )}
          </div>
        </div>
        <p aria-hidden className="mt-2 flex h-5 items-center gap-4 pl-4 text-meta text-ink-3">
          {(readOnly
            ? []
            : answering
              ? ([["escape", "conversation.hint.stop"]] as const)
              : ([
                  ["enter", "conversation.hint.say"],
                  ["shift+enter", "conversation.hint.break"],
                ] as const)
          ).map(([keys, label]) => (
            <span key={keys} className="inline-flex items-center gap-2">
              <Keys keys={keys} />
              {t(label)}
            </span>
          ))}
        </p>
      </div>
    </form>
  );
}
