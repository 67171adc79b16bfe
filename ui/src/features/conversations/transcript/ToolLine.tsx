import { Link } from "@tanstack/react-router";
import {
  BookMarked,
  ChevronRight,
  CircleAlert,
  Inbox,
  NotebookPen,
  Search,
  SquareCheck,
  Wrench,
} from "lucide-react";
import { useMemo, useState } from "react";
import { useI18n } from "../../../i18n/i18n";
import type { MessageKey } from "../../../i18n/messages";
import type { MessageView, ToolCall } from "../../../ipc/bindings.gen";
import { type CallSummary, describeCall, type Purpose } from "./toolText";

const ICONS: Record<Purpose, typeof Wrench> = {
  remember: BookMarked,
  change: BookMarked,
  forget: BookMarked,
  look: Search,
  note: NotebookPen,
  readNote: NotebookPen,
  clearNotes: NotebookPen,
  fact: SquareCheck,
  lookFact: Search,
  other: Wrench,
};

/** How a proposal is described, where it is none of another text. */
const PROPOSED: Partial<Record<Purpose, MessageKey>> = {
  remember: "conversation.tool.proposedNew",
  forget: "conversation.tool.proposedForget",
};

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** What became of a call, in a sentence. */
function useSentence(name: string, it: CallSummary): string {
  const { t } = useI18n();
  const values = {
    name,
    about: it.about || t(`conversation.tool.about.${it.purpose}`),
    count: it.count ?? 0,
  };
  if (it.outcome === "proposed") return t(PROPOSED[it.purpose] ?? "conversation.tool.proposed", values);
  if (it.outcome === "claimed") return t("conversation.tool.claimed", values);
  return t(`conversation.tool.${it.purpose}.${it.outcome}`, values);
}

/** A call of a tool on one quiet line: what became of it, and a way to what was made; the rest on asking. */
export function ToolLine({ call, result }: { call: ToolCall; result: MessageView | null }) {
  const { t } = useI18n();
  const [open, setOpen] = useState(false);
  const it = useMemo(() => describeCall(call, result), [call, result]);
  const sentence = useSentence(call.name, it);
  const failed = it.outcome === "failed";
  const Icon = failed ? CircleAlert : it.outcome === "proposed" ? Inbox : ICONS[it.purpose];
  const link = "inline-flex min-h-6 shrink-0 items-center rounded-sm text-ui text-accent hover:underline";
  return (
    <div className="pt-2 pl-4">
      <div className="flex items-center gap-3">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="-ml-1 flex min-h-6 min-w-0 items-center gap-2 rounded-sm px-1 text-left text-ui text-ink-3 hover:text-ink"
        >
          <Icon
            size={14}
            strokeWidth={1.75}
            className={failed ? "shrink-0 text-danger" : "shrink-0"}
            aria-hidden
          />
          <span className="truncate">{sentence}</span>
          <ChevronRight
            size={12}
            className={`shrink-0 transition-transform ${open ? "rotate-90" : ""}`}
            aria-hidden
          />
        </button>
        {it.proposal ? (
          <Link to="/activity" search={{ page: "proposals", state: "all", id: it.proposal }} className={link}>
            {t("conversation.tool.openProposal")}
          </Link>
        ) : (
          it.memory && (
            <Link to="/memory" search={{ id: it.memory }} className={link}>
              {t("conversation.tool.openMemory")}
            </Link>
          )
        )}
      </div>
      {failed && <p className="ml-5 max-w-[60ch] text-meta text-pretty text-ink-2">{it.reason}</p>}
      {open && (
        <dl className="appear mt-1 mb-2 ml-2 space-y-2 border-l border-line pl-4 text-meta">
          <Part name={t("conversation.tool.asked", { name: call.name })} text={pretty(call.arguments)} />
          <Part
            name={t("conversation.tool.answered")}
            text={result ? pretty(result.content) : t("conversation.tool.noAnswer")}
          />
        </dl>
      )}
    </div>
  );
}

function Part({ name, text }: { name: string; text: string }) {
  if (text === "") return null;
  return (
    <div>
      <dt className="text-ink-3">{name}</dt>
      <dd className="max-h-60 overflow-y-auto font-mono whitespace-pre-wrap wrap-anywhere text-ink-2 select-text">
        {text}
      </dd>
    </div>
  );
}
