import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useRef, useState } from "react";
import { Button } from "../../components/Button";
import { Names } from "../../components/names/Names";
import { specOf } from "../../components/names/useNameIndex";
import { Empty, Failed } from "../../components/States";
import { useI18n } from "../../i18n/i18n";
import type { MessageView } from "../../ipc/bindings.gen";
import { hasCode } from "../../ipc/errors";
import { chatSettingsQuery, conversationQuery, statusQuery } from "../../ipc/queries";
import { useMinWidth } from "../../preferences/width";
import { Composer } from "./Composer";
import { CompactDialog, DeleteDialog, NewDialog } from "./Dialogs";
import { dropUnsent, setUnsent } from "./drafts";
import { Header } from "./Header";
import { ImportDialog } from "./ImportDialog";
import { ListPane } from "./list/ListPane";
import { useConversations } from "./list/useConversations";
import { useTurn } from "./transcript/live";
import { Transcript } from "./transcript/Transcript";
import { useAttach } from "./useAttach";
import { useConversationActions } from "./useConversationActions";
import { useConversationWrites } from "./useConversationWrites";
import { OF_MESSAGE, type Tab, useView } from "./view";

const SidePanel = lazy(() => import("./panel/SidePanel"));

export function ConversationsPage() {
  const { t } = useI18n();
  const { view, ref, statuses, go, open } = useView();
  const { data: found } = useConversations(view.channel ?? null, statuses);
  // The list says already that there is none, and what to do.
  const none = found?.pages[0]?.rows.length === 0;
  const readOnly = useQuery(statusQuery).data?.readOnly ?? false;
  const writes = useConversationWrites();
  const [creating, setCreating] = useState(false);
  const isOwn = ref !== undefined && view.own === true;
  const search = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  /** Where the focus goes when the conversation that was asked for is there. */
  const arrive = useRef<"composer" | "transcript" | null>(null);

  const focusSearch = useCallback(() => {
    search.current?.focus();
    search.current?.select();
  }, []);
  useConversationActions(
    isOwn
      ? undefined
      : {
          readOnly,
          startNew: () => setCreating(true),
          focusSearch,
          openImport: () => go({ import: true }),
        },
  );

  return (
    <div className="flex h-full min-w-0">
      <h1 className="sr-only">{t("nav.conversations")}</h1>
      {!isOwn && (
        <ListPane
          readOnly={readOnly}
          input={search}
          box={list}
          onNew={() => setCreating(true)}
          onImport={() => go({ import: true })}
          onOpen={(next, at, how) => {
            arrive.current = how === "enter" ? (at === undefined ? "composer" : "transcript") : null;
            open(next, at);
          }}
        />
      )}
      {ref === undefined ? (
        <div className="flex min-w-0 flex-1 items-center justify-center">
          {!none && (
            <Empty title={t("conversation.choose.title")} body={t("conversation.choose.body")}>
              <Button disabled={readOnly} onClick={() => setCreating(true)}>
                {t("conversation.new")}
              </Button>
            </Empty>
          )}
        </div>
      ) : (
        <Conversation key={ref} refCode={ref} readOnly={readOnly} arrive={arrive} list={list} />
      )}
      {creating && (
        <NewDialog
          channel={view.channel}
          onClose={() => setCreating(false)}
          onStart={async (channelId, title) => {
            const started = await writes.start(channelId, title);
            arrive.current = "composer";
            open(started.refCode);
          }}
        />
      )}
      {view.import && <ImportDialog channel={view.channel} onClose={() => go({ import: undefined })} />}
    </div>
  );
}

type ConversationProps = {
  refCode: string;
  readOnly: boolean;
  arrive: { current: "composer" | "transcript" | null };
  list: { current: HTMLDivElement | null };
};

function Conversation({ refCode, readOnly, arrive, list }: ConversationProps) {
  const { t } = useI18n();
  const { view, go, open, close } = useView();
  const query = useQuery(conversationQuery(refCode));
  const chat = useQuery(chatSettingsQuery).data;
  const writes = useConversationWrites();
  const wide = useMinWidth(1440);
  const [shut, setShut] = useState(false);
  const [dialog, setDialog] = useState<"compact" | "delete" | null>(null);
  const [renaming, setRenaming] = useState(false);
  const box = useRef<HTMLElement>(null);
  const conversation = query.data;
  const turn = useTurn(conversation?.id ?? "");
  const answering = turn.running || (conversation?.answering ?? false);

  // In a wide window the panel is there unless it was closed; in a narrow one only when a tab was asked for.
  const panelOpen = !shut && (wide || view.tab !== undefined);
  const showTab = useCallback(
    (tab: Tab | undefined, replace = true) => {
      setShut(tab === undefined);
      go({ tab }, { replace });
    },
    [go],
  );

  const field = useRef<HTMLTextAreaElement | null>(null);
  const takeField = useCallback(
    (element: HTMLTextAreaElement | null) => {
      field.current = element;
      if (!element || arrive.current !== "composer") return;
      arrive.current = null;
      // After a dialog has given its focus back.
      setTimeout(() => element.focus(), 0);
    },
    [arrive],
  );
  const takeBox = useCallback(
    (element: HTMLElement | null) => {
      box.current = element;
      if (!element || arrive.current !== "transcript") return;
      arrive.current = null;
      element.focus();
    },
    [arrive],
  );

  const { attach } = useAttach(conversation?.id ?? "");
  useConversationActions(
    conversation && {
      readOnly,
      status: conversation.status,
      answering,
      rename: () => setRenaming(true),
      stop: () => writes.stop(conversation),
      write: () => field.current?.focus(),
      attach: () => void attach(),
      end: () => void writes.idle(refCode),
      archive: () => void writes.archive(refCode),
      resume: () => void resume(),
      compact: () => setDialog("compact"),
      remove: () => setDialog("delete"),
      panel: () => showTab(panelOpen ? undefined : (view.tab ?? "shown")),
      shown: () => showTab("shown"),
    },
  );

  const resume = async () => {
    const next = await writes.resume(refCode);
    if (!next) return;
    arrive.current = "composer";
    open(next.refCode);
  };

  const edit = async (message: MessageView) => {
    const branch = await writes.branch(refCode, message.position);
    if (!branch) return;
    setUnsent(branch.id, message.content);
    arrive.current = "composer";
    open(branch.refCode);
  };

  const answerInBranch = async (at: number) => {
    const branch = await writes.branch(refCode, at);
    if (!branch) return;
    open(branch.refCode);
    await writes.again(branch);
  };

  if (query.error && !conversation) {
    return (
      <div className="min-w-0 flex-1">
        {hasCode(query.error, "not_found") ? (
          <Empty title={t("conversation.gone.title")} body={t("conversation.gone.body")}>
            <Button onClick={close}>{t("conversation.gone.back")}</Button>
          </Empty>
        ) : (
          <Failed error={query.error} onRetry={() => void query.refetch()} />
        )}
      </div>
    );
  }
  if (!conversation) {
    return (
      <div role="status" aria-label={t("state.loading")} className="min-w-0 flex-1 space-y-3 px-8 py-6">
        <div className="skeleton h-6 w-1/2" />
        <div className="skeleton h-4 w-1/4" />
      </div>
    );
  }
  return (
    <>
      <section
        aria-label={t("conversation.region")}
        className="flex min-w-0 flex-1 flex-col"
        onKeyDown={(event) => {
          if (event.key !== "Escape" || event.defaultPrevented) return;
          event.preventDefault();
          if (answering) writes.stop(conversation);
          else list.current?.focus();
        }}
      >
        <Header
          conversation={conversation}
          readOnly={readOnly}
          writes={writes}
          panelOpen={panelOpen}
          renaming={renaming}
          isOwn={view.own === true}
          onRenaming={setRenaming}
          onPanel={() => showTab(panelOpen ? undefined : (view.tab ?? "shown"))}
          onContinue={() => void resume()}
          onCompact={() => setDialog("compact")}
          onDelete={() => setDialog("delete")}
          onOpen={(next) => open(next)}
        />
        <Names lens={specOf(conversation.lens)}>
          <Transcript
            conversation={conversation}
            at={view.at}
            readOnly={readOnly}
            connected={chat && chat.endpoint !== null}
            box={box}
            takeBox={takeBox}
            onStar={(message) => void writes.star(message)}
            onRemember={(message, text) => void writes.remember(conversation, message, text)}
            onAgain={() => void writes.again(conversation)}
            onEdit={(message) => void edit(message)}
            onBranch={(position) => void answerInBranch(position)}
            onShown={() => showTab("shown")}
            onShownFor={(answer) => {
              setShut(false);
              go({ tab: "shown", shown: `${OF_MESSAGE}${answer}` });
            }}
            onLatest={() => go({ at: undefined }, { replace: true })}
          />
        </Names>
        <Composer
          conversation={conversation}
          answering={answering}
          readOnly={readOnly}
          input={field}
          takeInput={takeField}
          onSay={async (text, files) => {
            // What is said stands at the end: look there.
            if (view.at !== undefined) go({ at: undefined }, { replace: true });
            return writes.say(conversation, text, files);
          }}
          onStop={() => writes.stop(conversation)}
          onContinue={() => void resume()}
        />
      </section>
      {panelOpen && (
        <Suspense
          fallback={<div className="w-[clamp(19.5rem,26%,26.25rem)] shrink-0 border-l border-line" />}
        >
          <SidePanel
            conversation={conversation}
            readOnly={readOnly}
            tab={view.tab ?? "shown"}
            shown={view.shown}
            onShown={(shown) => go({ tab: "shown", shown })}
            onTab={(tab) => showTab(tab)}
            onTurn={(position) => open(refCode, position)}
            onClose={() => showTab(undefined)}
          />
        </Suspense>
      )}
      {dialog === "compact" && (
        <CompactDialog
          conversation={conversation}
          onClose={() => setDialog(null)}
          onCompact={(name) => writes.compact(conversation, name)}
        />
      )}
      {dialog === "delete" && (
        <DeleteDialog
          conversation={conversation}
          onClose={() => setDialog(null)}
          onDelete={async () => {
            await writes.remove(conversation);
            dropUnsent(conversation.id);
            close();
          }}
        />
      )}
    </>
  );
}
