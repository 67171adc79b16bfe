import { clsx } from "clsx";
import { ChevronRight, Paperclip } from "lucide-react";
import { useState } from "react";
import { size } from "../../../components/size";
import { useI18n } from "../../../i18n/i18n";
import type { MessageView } from "../../../ipc/bindings.gen";

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** A file that the worldbuilder attached, folded to its name. It stands before the message that it was sent with. */
export function AttachmentLine({ message, marked }: { message: MessageView; marked: boolean }) {
  const i18n = useI18n();
  const [open, setOpen] = useState(marked);
  return (
    <div
      data-marked={marked || undefined}
      className={clsx("-mx-4 rounded-md px-4 pt-3", marked && "bg-mark/35 pb-2")}
    >
      <div className="border-l-2 border-accent pl-4">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="-ml-1 flex min-h-6 max-w-full min-w-0 items-center gap-2 rounded-sm px-1 text-left text-ui text-ink-2 hover:text-ink"
        >
          <Paperclip size={14} strokeWidth={1.75} className="shrink-0" aria-hidden />
          <span className="sr-only">{i18n.t("conversation.attached.file")} </span>
          <span className="truncate">{message.attachedName}</span>
          <span className="tabular shrink-0 text-meta text-ink-3">
            {size(bytesOf(message.content), i18n)}
          </span>
          <ChevronRight
            size={12}
            className={clsx("shrink-0 transition-transform", open && "rotate-90")}
            aria-hidden
          />
        </button>
        {open && (
          <pre
            // It scrolls, so it takes the focus.
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it
            tabIndex={0}
            className="appear mt-1 mb-2 max-h-80 overflow-y-auto font-mono text-meta whitespace-pre-wrap wrap-anywhere text-ink-2 select-text"
          >
            {message.content}
          </pre>
        )}
      </div>
    </div>
  );
}
