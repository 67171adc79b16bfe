import { Link } from "@tanstack/react-router";
import { Archive } from "lucide-react";
import { Button } from "../../../components/Button";
import { useI18n } from "../../../i18n/i18n";
import type { MessageView } from "../../../ipc/bindings.gen";

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
      <Button look="ghost" onClick={onOpen}>
        {t("conversation.unfold", { count })}
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
        title={t("conversation.markerOpen", { when: exact(marker.archivedAt) })}
        className="inline-flex min-h-6 max-w-[70%] items-center gap-2 rounded-sm text-ui text-ink-2 hover:text-accent"
      >
        <Archive size={14} strokeWidth={1.75} className="shrink-0" aria-hidden />
        <span className="truncate">{t("conversation.marker", { name: marker.archiveName })}</span>
      </Link>
      <span className="h-px flex-1 bg-line-strong" />
    </div>
  );
}

/** Said plainly: the words are kept, and nobody is there to answer. */
export function Silence({ onShown }: { onShown(): void }) {
  const { t } = useI18n();
  return (
    <section
      aria-label={t("conversation.silence.title")}
      className="fc-border mt-6 rounded-md bg-sunken px-5 py-4"
    >
      <p className="font-serif text-[1.0625rem] leading-6 text-ink">{t("conversation.silence.title")}</p>
      <p className="mt-1 max-w-[56ch] text-ui text-pretty text-ink-2">{t("conversation.silence.body")}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Link
          to="/settings"
          search={{ section: "language-model" }}
          className="fc-border inline-flex h-8 items-center rounded-md border border-line bg-raised px-3 text-ui font-strong text-ink hover:bg-hover"
        >
          {t("conversation.silence.connect")}
        </Link>
        <Button look="ghost" onClick={onShown}>
          {t("conversation.silence.shown")}
        </Button>
      </div>
    </section>
  );
}
