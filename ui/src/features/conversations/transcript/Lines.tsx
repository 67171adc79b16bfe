import { Link } from "@tanstack/react-router";
import { Archive, BookMarked, ChevronRight, Search, Wrench } from "lucide-react";
import { useMemo, useState } from "react";
import { Button } from "../../../components/Button";
import { useI18n } from "../../../i18n/i18n";
import type { MessageView, ToolCall } from "../../../ipc/bindings.gen";

export function Day({ iso }: { iso: string }) {
  const { date } = useI18n();
  return (
    <div className="flex items-center gap-4 pt-6 pb-1">
      <span className="h-px flex-1 bg-line" />
      <time dateTime={iso} className="text-meta text-ink-3">
        {date(iso)}
      </time>
      <span className="h-px flex-1 bg-line" />
    </div>
  );
}

export function Fold({ count, onOpen }: { count: number; onOpen(): void }) {
  const { t } = useI18n();
  return (
    <div className="flex justify-center pt-4">
      <Button look="quiet" onClick={onOpen}>
        {t("talk.unfold", { count })}
      </Button>
    </div>
  );
}

/** Where the conversation was compacted: a rule with the name of what it became. */
export function Marker({ message }: { message: MessageView }) {
  const { t, exact } = useI18n();
  const { marker } = message;
  if (!marker) return null;
  return (
    <div className="flex items-center gap-4 py-5">
      <span className="h-px flex-1 bg-line-strong" />
      <Link
        to="/memory"
        search={{ id: marker.archiveId }}
        title={t("talk.markerOpen", { when: exact(marker.archivedAt) })}
        className="inline-flex min-h-6 max-w-[70%] items-center gap-2 rounded-sm text-ui text-ink-2 hover:text-accent"
      >
        <Archive size={14} strokeWidth={1.75} className="shrink-0" aria-hidden />
        <span className="truncate">{t("talk.marker", { name: marker.archiveName })}</span>
      </Link>
      <span className="h-px flex-1 bg-line-strong" />
    </div>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** What a call was about, if its arguments say so. */
function subject(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return "";
    const { content, query, name, key, value: fact } = value as Record<string, unknown>;
    for (const part of [content, query, name, key, fact]) if (typeof part === "string") return part;
  } catch {
    // Arguments that are no JSON are shown as they are, when opened.
  }
  return "";
}

/** A call of a tool on one quiet line; its arguments and its answer on asking. */
export function ToolLine({ call, result }: { call: ToolCall; result: MessageView | null }) {
  const { t } = useI18n();
  const [open, setOpen] = useState(false);
  const about = useMemo(() => subject(call.arguments), [call.arguments]);
  const kind = /remember|write|create|set/.test(call.name)
    ? "remembered"
    : /search|recall|list|read|find/.test(call.name)
      ? "looked"
      : "used";
  const Icon = { remembered: BookMarked, looked: Search, used: Wrench }[kind];
  return (
    <div className="pt-2 pl-4">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="-ml-1 flex min-h-6 max-w-full items-center gap-2 rounded-sm px-1 text-left text-ui text-ink-3 hover:text-ink"
      >
        <Icon size={14} strokeWidth={1.75} className="shrink-0" aria-hidden />
        <span className="truncate">
          {kind === "used"
            ? t("talk.tool.used", { name: call.name })
            : t(about === "" ? `talk.tool.${kind}` : `talk.tool.${kind}About`, { about })}
        </span>
        <ChevronRight
          size={12}
          className={`shrink-0 transition-transform ${open ? "rotate-90" : ""}`}
          aria-hidden
        />
      </button>
      {open && (
        <dl className="appear mt-1 mb-2 ml-2 space-y-2 border-l border-line pl-4 text-meta">
          <Part name={t("talk.tool.asked", { name: call.name })} text={pretty(call.arguments)} />
          <Part
            name={t("talk.tool.answered")}
            text={result ? pretty(result.content) : t("talk.tool.noAnswer")}
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

/** Said plainly: the words are kept, and nobody is there to answer. */
export function Silence({ onShown }: { onShown(): void }) {
  const { t } = useI18n();
  return (
    <section aria-label={t("talk.silence.title")} className="fc-border mt-6 rounded-md bg-sunken px-5 py-4">
      <p className="font-serif text-[17px] leading-6 text-ink">{t("talk.silence.title")}</p>
      <p className="mt-1 max-w-[56ch] text-ui text-pretty text-ink-2">{t("talk.silence.body")}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Link
          to="/settings"
          search={{ section: "language-model" }}
          className="fc-border inline-flex h-8 items-center rounded-md border border-line bg-raised px-3 text-ui font-strong text-ink hover:bg-hover"
        >
          {t("talk.silence.connect")}
        </Link>
        <Button look="quiet" onClick={onShown}>
          {t("talk.silence.shown")}
        </Button>
      </div>
    </section>
  );
}
