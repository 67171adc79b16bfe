import { clsx } from "clsx";
import { Copy, Eye, GitBranch, NotebookPen, RotateCcw, Star } from "lucide-react";
import type { MouseEvent, ReactNode } from "react";
import { useCopy } from "../../../components/useCopy";
import { useI18n } from "../../../i18n/i18n";
import type { MessageView } from "../../../ipc/bindings.gen";
import { selectionIn } from "./selection";

type TurnActionsProps = {
  message: MessageView;
  starred: boolean;
  streaming: boolean;
  readOnly: boolean;
  onStar(message: MessageView): void;
  onRemember(message: MessageView, text: string): void;
  onShown(): void;
  /** Writes this message otherwise in a branch; only for what the worldbuilder wrote. */
  onEdit: (() => void) | null;
  /** Answers again in a branch; only for the last answer. */
  onBranch: (() => void) | null;
};

/** What can be done with one message. What is selected in it is taken instead of the whole. */
export function TurnActions(props: TurnActionsProps) {
  const { message, starred, streaming, readOnly, onStar, onRemember, onShown, onEdit, onBranch } = props;
  const { t } = useI18n();
  const copy = useCopy();
  const taken = ({ currentTarget }: MouseEvent) =>
    selectionIn(currentTarget.closest("article")) || message.content;
  const hasText = !streaming && message.content !== "";
  return (
    <div className="ml-auto flex">
      {message.role === "assistant" && !streaming && (
        <Act label={t("ledger.of")} onClick={onShown}>
          <Eye size={14} aria-hidden />
        </Act>
      )}
      {onEdit && hasText && (
        <Act label={t("conversation.edit")} disabled={readOnly} onClick={onEdit}>
          <GitBranch size={14} aria-hidden />
        </Act>
      )}
      {onBranch && !streaming && (
        <Act label={t("conversation.againInBranch")} disabled={readOnly} onClick={onBranch}>
          <RotateCcw size={14} aria-hidden />
        </Act>
      )}
      {hasText && (
        <>
          <Act label={t("conversation.copy")} onClick={(event) => copy(taken(event))}>
            <Copy size={14} aria-hidden />
          </Act>
          <Act
            label={t("conversation.remember")}
            disabled={readOnly}
            onClick={(event) => onRemember(message, taken(event))}
          >
            <NotebookPen size={14} aria-hidden />
          </Act>
        </>
      )}
      <Act
        label={t("conversation.star")}
        title={t(starred ? "conversation.starOn" : "conversation.starOff")}
        pressed={starred}
        disabled={readOnly || streaming}
        onClick={() => onStar(message)}
      >
        <Star size={14} fill={starred ? "currentColor" : "none"} aria-hidden />
      </Act>
    </div>
  );
}

type ActProps = {
  label: string;
  title?: string;
  pressed?: boolean;
  disabled?: boolean;
  onClick(event: MouseEvent): void;
  children: ReactNode;
};

function Act({ label, title, pressed, disabled, onClick, children }: ActProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      aria-label={label}
      title={title ?? label}
      disabled={disabled}
      // A press does not take the selection away.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
      className={clsx(
        "inline-flex size-6 items-center justify-center rounded-sm transition-opacity hover:text-ink focus-visible:opacity-100 disabled:pointer-events-none",
        pressed ? "text-accent" : "text-ink-3 opacity-0 group-hover:opacity-100",
      )}
    >
      {children}
    </button>
  );
}
