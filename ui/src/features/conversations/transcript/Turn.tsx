import { clsx } from "clsx";
import { RotateCcw } from "lucide-react";
import { memo } from "react";
import { Button } from "../../../components/Button";
import { Markdown } from "../../../components/Markdown";
import { useI18n } from "../../../i18n/i18n";
import type { MessageView } from "../../../ipc/bindings.gen";
import { useLiveText } from "./live";
import { TurnActions } from "./TurnActions";

/** From here on a message is always among what the agent is shown. */
export const SALIENT = 0.8;
const STALLED_MS = 60_000;

type TurnProps = {
  message: MessageView;
  /** Whether somebody else spoke before. */
  opens: boolean;
  /** Whether it is the last word, and can be asked for again. */
  last: boolean;
  marked: boolean;
  readOnly: boolean;
  ended: boolean;
  answering: boolean;
  error: string | null;
  onStar(message: MessageView): void;
  onRemember(message: MessageView, text: string): void;
  onAgain(): void;
  /** Writes a message of the worldbuilder otherwise, in a branch. */
  onEdit(message: MessageView): void;
  /** Answers again in a branch from before the message at this position. Null where the last turn does not end here. */
  answersFrom: number | null;
  onBranch(at: number): void;
  /** The message that the ledger of this answer is kept with. */
  ledger: string;
  onShownFor(ledger: string): void;
};

/** What one of them said. The worldbuilder's words stand behind a line in the margin, the agent's are plain. */
export const Turn = memo(function Turn(props: TurnProps) {
  const { message, opens, last, marked, readOnly, ended, answering, error, onStar, onAgain } = props;
  const { ledger, onRemember, onShownFor, onEdit, answersFrom, onBranch } = props;
  const { t, clock, exact } = useI18n();
  const mine = message.role === "user";
  const at = message.saidAt ?? message.at;
  const starred = message.importance >= SALIENT;
  const name =
    message.speaker ??
    t(mine ? "conversation.you" : message.role === "system" ? "conversation.app" : "conversation.agent");
  // Nobody is giving it any more: the window or the core was closed in the middle.
  const stalled =
    message.delivery === "streaming" && !answering && Date.now() - Date.parse(message.updatedAt) > STALLED_MS;
  const delivery = stalled ? "cancelled" : message.delivery;
  const broken = delivery === "cancelled" || delivery === "failed";
  return (
    <article
      aria-label={t("conversation.turn", { who: name, when: exact(at) })}
      data-marked={marked || undefined}
      className={clsx(
        "group relative -mx-4 rounded-md px-4",
        opens ? "pt-5" : "pt-1",
        marked && "bg-mark/35 pb-2",
      )}
    >
      <div className={clsx("pl-4", mine ? "border-l-2 border-accent" : "border-l-2 border-transparent")}>
        <div
          className={clsx(
            "flex h-6 items-center gap-2",
            !opens && !starred && "absolute top-1 right-4 z-1 h-6",
          )}
        >
          {opens && (
            <>
              <span className={clsx("text-meta font-strong", mine ? "text-accent" : "text-ink-2")}>
                {name}
              </span>
              <time dateTime={at} title={exact(at)} className="tabular text-meta text-ink-3">
                {clock(at)}
              </time>
            </>
          )}
          <TurnActions
            message={message}
            starred={starred}
            streaming={delivery === "streaming"}
            readOnly={readOnly}
            onStar={onStar}
            onRemember={onRemember}
            onShown={() => onShownFor(ledger)}
            onEdit={mine ? () => onEdit(message) : null}
            onBranch={answersFrom === null || answering ? null : () => onBranch(answersFrom)}
          />
        </div>
        {delivery === "streaming" ? (
          <Streaming message={message} />
        ) : (
          message.content !== "" && <Markdown text={message.content} />
        )}
        {broken && (
          <p
            role={last ? "status" : undefined}
            className="mt-2 flex flex-wrap items-center gap-3 text-ui text-ink-2"
          >
            <span className={delivery === "failed" ? "text-danger" : undefined}>
              {t(delivery === "failed" ? "conversation.failed" : "conversation.cancelled")}
              {last && error && <span className="text-ink-2"> {error}</span>}
            </span>
            {last && !ended && (
              <Button disabled={readOnly} onClick={onAgain}>
                <RotateCcw size={14} aria-hidden />
                {t("conversation.again")}
              </Button>
            )}
          </p>
        )}
      </div>
    </article>
  );
});

/** The answer as it arrives. Alone in listening to its words, so that nothing else is drawn with each of them. */
function Streaming({ message }: { message: MessageView }) {
  const live = useLiveText(message.conversationId, message.id);
  const text = live.length > message.content.length ? live : message.content;
  return text === "" ? <Thinking /> : <Markdown text={text} />;
}

/** An answer of which the transcript holds nothing yet. */
export function Answering({ conversationId, tool }: { conversationId: string; tool: boolean }) {
  const { t } = useI18n();
  const text = useLiveText(conversationId, null);
  return (
    <div className="pt-5 pl-4">
      <p className="flex h-6 items-center text-meta font-strong text-ink-2">{t("conversation.agent")}</p>
      {text === "" || tool ? <Thinking tool={tool} /> : <Markdown text={text} />}
    </div>
  );
}

function Thinking({ tool = false }: { tool?: boolean }) {
  const { t } = useI18n();
  return (
    <p
      role="status"
      className="font-serif text-prose text-ink-3 italic motion-safe:animate-[breathe_1.6s_ease-in-out_infinite]"
    >
      {t(tool ? "conversation.looking" : "conversation.thinking")}
    </p>
  );
}
