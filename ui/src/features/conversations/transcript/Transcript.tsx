import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Button } from "../../../components/Button";
import { Empty, Failed } from "../../../components/States";
import { useI18n } from "../../../i18n/i18n";
import type { ConversationView, MessageView } from "../../../ipc/bindings.gen";
import { AttachmentLine } from "./AttachmentLine";
import { type Item, itemsOf, latestMarker } from "./items";
import { Day, Fold, Marker, Silence } from "./Lines";
import { useTurn } from "./live";
import { ToolLine } from "./ToolLine";
import { Answering, Turn } from "./Turn";
import { useStayAtEnd } from "./useStayAtEnd";
import { useTranscript } from "./useTranscript";

type TranscriptProps = {
  conversation: ConversationView;
  at: number | undefined;
  readOnly: boolean;
  /** Whether a language model is connected; undefined while that is not known. */
  connected: boolean | undefined;
  box: RefObject<HTMLElement | null>;
  takeBox(element: HTMLElement | null): void;
  onStar(message: MessageView): void;
  /** Keeps a text of a message as a memory. */
  onRemember(message: MessageView, text: string): void;
  onAgain(): void;
  onEdit(message: MessageView): void;
  /** Answers again in a branch from before the message at a position. */
  onBranch(at: number): void;
  onShown(): void;
  /** What the agent was shown for one answer. */
  onShownFor(ledger: string): void;
  onLatest(): void;
};

const ESTIMATE: Record<Item["kind"], number> = {
  day: 44,
  fold: 48,
  turn: 130,
  tool: 32,
  attachment: 36,
  marker: 64,
  answering: 60,
  unanswered: 64,
  silence: 150,
};

/** Everything said, from the end backwards. Pages come in at both ends without the words in view moving. */
export function Transcript(props: TranscriptProps) {
  const { conversation, at, connected, box, onLatest } = props;
  const { t } = useI18n();
  const { messages, onVisible, ...query } = useTranscript(conversation.id, at);
  const { hasPreviousPage, isFetchingPreviousPage, fetchPreviousPage } = query;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  // What could not be read is asked for again by hand, not in a circle.
  const broken = query.isFetchPreviousPageError || query.isFetchNextPageError;
  const turn = useTurn(conversation.id);
  const answering = turn.running || conversation.answering;
  const [opened, setOpened] = useState(false);
  const through = latestMarker(messages)?.through ?? -1;
  const unfolded = opened || (at !== undefined && at <= through);
  const instead =
    connected === undefined || conversation.status !== "active" || hasNextPage
      ? null
      : connected
        ? "unanswered"
        : "silence";
  const items = useMemo(
    () => itemsOf(messages, { unfolded, earlier: hasPreviousPage, answering, instead }),
    [messages, unfolded, hasPreviousPage, answering, instead],
  );
  const last = messages.at(-1);
  const answersFrom = useMemo(() => lastAnswerFrom(messages), [messages]);

  // A row with the focus stays in the document, or the focus would go with it.
  const focused = useRef(-1);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => ESTIMATE[items[index]?.kind ?? "turn"],
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 8,
    anchorTo: "end",
    paddingEnd: 24,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      if (focused.current >= 0 && focused.current < range.count && !shown.includes(focused.current))
        shown.push(focused.current);
      return shown;
    },
  });

  // Once for each way in: to the end, or to the message that is looked for.
  const placed = useRef("");
  // Nothing is read before the way in has come to rest, or what comes in would move it.
  const [rested, setRested] = useState("");
  const way = `${conversation.id}:${at ?? ""}`;
  useLayoutEffect(() => {
    if (placed.current === way || items.length === 0) return;
    placed.current = way;
    const index = items.findIndex((it) => "message" in it && it.message.position === at);
    if (index >= 0) virtual.scrollToIndex(index, { align: "center" });
    else virtual.scrollToEnd();
    setTimeout(() => setRested(way), 120);
  }, [way, items, at, virtual]);

  useStayAtEnd(box, virtual.getTotalSize(), { way, whole: !hasNextPage, atEnd: at === undefined });

  const first = virtual.range?.startIndex ?? 0;
  const end = virtual.range?.endIndex ?? 0;
  const folded = items[0]?.kind === "fold";
  useEffect(() => {
    const positionOf = (item: Item | undefined) => (item && "message" in item ? item.message.position : 0);
    onVisible(positionOf(items[first]), positionOf(items[end]) || Number.MAX_SAFE_INTEGER);
    if (rested !== way || broken) return;
    if (first < 12 && hasPreviousPage && !isFetchingPreviousPage && !folded) void fetchPreviousPage();
    if (end > items.length - 12 && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [
    first,
    end,
    items,
    folded,
    way,
    rested,
    broken,
    onVisible,
    hasPreviousPage,
    isFetchingPreviousPage,
    fetchPreviousPage,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
  ]);

  const latest = useCallback(() => {
    if (at === undefined) virtual.scrollToEnd();
    else onLatest();
  }, [at, onLatest, virtual]);

  const body = () => {
    if (query.error && messages.length === 0)
      return <Failed error={query.error} onRetry={() => void query.refetch()} />;
    if (query.isPending) return <Loading />;
    if (items.length === 0)
      return (
        <div className="mt-[12vh]">
          <Empty title={t("conversation.empty.title")} body={t("conversation.empty.body")} />
        </div>
      );
    return (
      <div role="presentation" style={{ height: virtual.getTotalSize() }} className="relative">
        {virtual.getVirtualItems().map((row) => {
          const item = items[row.index];
          if (!item) return null;
          return (
            <div
              key={row.key}
              ref={virtual.measureElement}
              data-index={row.index}
              style={{ transform: `translateY(${row.start}px)` }}
              className="absolute inset-x-0 top-0 px-8"
            >
              <div className="mx-auto max-w-[calc(var(--measure)+0.8125rem)]">
                <Row
                  {...props}
                  item={item}
                  last={"message" in item && item.message === last}
                  answersFrom={answersFrom}
                  error={item.kind === "unanswered" || isOf(turn.messageId, item) ? turn.error : null}
                  tool={turn.tool}
                  answering={answering}
                  onUnfold={() => setOpened(true)}
                />
              </div>
            </div>
          );
        })}
      </div>
    );
  };

  const away = items.length > 0 && (hasNextPage || end < items.length - 3);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={props.takeBox}
        aria-label={t("conversation.transcript")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached from the keyboard
        tabIndex={0}
        onFocus={(event) => {
          const row = event.target.closest<HTMLElement>("[data-index]");
          focused.current = row ? Number(row.dataset.index) : -1;
        }}
        onBlur={() => {
          focused.current = -1;
        }}
        className="focus-inset min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        {body()}
      </section>
      {broken && (
        <p
          role="alert"
          className="absolute inset-x-0 top-0 flex min-h-10 items-center justify-center gap-3 border-b border-line bg-warn-wash px-8 text-ui text-ink"
        >
          {t("conversation.moreFailed")}
          <Button
            onClick={() => void (query.isFetchPreviousPageError ? fetchPreviousPage() : fetchNextPage())}
          >
            {t("action.retry")}
          </Button>
        </p>
      )}
      {away && (
        <Button
          className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full! shadow-pop"
          onClick={latest}
        >
          <ArrowDown size={14} aria-hidden />
          {t("conversation.latest")}
        </Button>
      )}
      <p className="sr-only" aria-live="polite">
        {answering ? t("conversation.announce.answering") : turn.error ? t("conversation.failed") : ""}
      </p>
    </div>
  );
}

/** Whether what became of the latest answer is about this row. */
function isOf(messageId: string | null, item: Item): boolean {
  return "message" in item && (messageId === null || messageId === item.message.id);
}

/** The position at which the last answer begins: behind the last message of the worldbuilder. Null if it was not answered. */
function lastAnswerFrom(messages: readonly MessageView[]): number | null {
  const asked = messages.findLastIndex((message) => message.role === "user");
  const answer = asked < 0 ? undefined : messages[asked + 1];
  return answer?.role === "assistant" && answer.marker === null ? answer.position : null;
}

type RowProps = TranscriptProps & {
  item: Item;
  last: boolean;
  answersFrom: number | null;
  error: string | null;
  tool: boolean;
  answering: boolean;
  onUnfold(): void;
};

function Row({ item, last, answersFrom, error, tool, answering, onUnfold, ...props }: RowProps) {
  const { conversation, at, readOnly, onStar, onRemember, onAgain, onShown, onShownFor } = props;
  const { onEdit, onBranch } = props;
  const { t } = useI18n();
  switch (item.kind) {
    case "day":
      return <Day iso={item.iso} />;
    case "fold":
      return <Fold count={item.count} onOpen={onUnfold} />;
    case "marker":
      return <Marker message={item.message} />;
    case "tool":
      return <ToolLine call={item.call} result={item.result} />;
    case "attachment":
      return <AttachmentLine message={item.message} marked={item.message.position === at} />;
    case "silence":
      return <Silence onShown={onShown} />;
    case "unanswered":
      return (
        <p
          role={error ? "status" : undefined}
          className="flex flex-wrap items-center gap-3 pt-4 pl-4 text-ui text-ink-2"
        >
          {error ? (
            <span>
              <span className="text-danger">{t("conversation.failed")}</span> {error}
            </span>
          ) : (
            t("conversation.unanswered")
          )}
          <Button disabled={readOnly} onClick={onAgain}>
            {t("conversation.answer")}
          </Button>
        </p>
      );
    case "answering":
      return <Answering conversationId={conversation.id} tool={tool} />;
    case "turn":
      return (
        <Turn
          message={item.message}
          opens={item.opens}
          last={last}
          marked={item.message.position === at}
          readOnly={readOnly}
          ended={conversation.status !== "active"}
          answering={last && answering}
          error={last ? error : null}
          onStar={onStar}
          onRemember={onRemember}
          onAgain={onAgain}
          onEdit={onEdit}
          answersFrom={last && item.message.role === "assistant" ? answersFrom : null}
          onBranch={onBranch}
          ledger={item.ledger}
          onShownFor={onShownFor}
        />
      );
  }
}

function Loading() {
  const { t } = useI18n();
  return (
    <div
      role="status"
      aria-label={t("state.loading")}
      className="mx-auto max-w-[calc(var(--measure)+0.8125rem)] space-y-10 px-8 py-10"
    >
      {[0, 1, 2].map((i) => (
        <div key={i} className="space-y-3">
          <div className="skeleton h-3 w-20" />
          <div className="skeleton h-4 w-full" />
          <div className="skeleton h-4 w-2/3" />
        </div>
      ))}
    </div>
  );
}
