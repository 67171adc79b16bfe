import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Markdown } from "../../../components/Markdown";
import { Names } from "../../../components/names/Names";
import { withoutName } from "../../../components/plain";
import { TierIcon } from "../../../components/Tier";
import { useI18n } from "../../../i18n/i18n";
import type { LensSpec, MemoryDetail } from "../../../ipc/bindings.gen";
import type { ReadingView } from "./view";

/** Letters up to which an entry is not divided between two pages of paper. */
const SHORT = 1200;

type EntryProps = {
  memory: MemoryDetail;
  /** The list that it is read from. */
  view: ReadingView;
  lens: LensSpec | null;
};

/** One memory of the text: what it is called, where and when it holds, what it says, and where it comes from. */
export function Entry({ memory, view, lens }: EntryProps) {
  const { t, date, list } = useI18n();
  const { row, content, storyTime, readingNumber, derivations, forgotten } = memory;
  const title = row.name ?? row.title;
  const placed = [
    row.channelName ? `#${row.channelName}` : t(`tier.${row.scope}`),
    storyTime?.text,
    readingNumber !== null && t("timeline.reading", { number: readingNumber }),
    forgotten && t("list.forgotten"),
  ].filter(Boolean);
  // What a memory was made of can be withheld although the memory is not.
  const sources = lens === null ? derivations.flatMap(({ label }) => (label === null ? [] : [label])) : [];
  return (
    <article className={clsx("mb-12", content.length <= SHORT && "break-inside-avoid")}>
      {title && (
        <h2 className="break-after-avoid font-serif text-title font-[600] wrap-anywhere text-ink">{title}</h2>
      )}
      <p className="mt-1 mb-3 flex break-after-avoid items-center gap-2 text-meta text-ink-2">
        <TierIcon scope={row.scope} />
        {row.channelName && <span className="sr-only">{t(`tier.${row.scope}`)}: </span>}
        <span>{placed.join(" · ")}</span>
        <Link
          to="/memory"
          search={{ ...view, id: row.id }}
          aria-label={t("reading.openFor", { name: title ?? row.preview })}
          className="ml-auto inline-flex min-h-6 items-center rounded-sm text-ink-3 hover:text-accent print:hidden"
        >
          {t("reading.open")}
        </Link>
      </p>
      <Names lens={lens} own={row.id} tabbable>
        <Markdown text={withoutName(content, title)} />
      </Names>
      <p className="mt-3 text-meta wrap-anywhere text-ink-3">
        {t("reading.source", { who: t(`curator.by.${row.curator}`), when: date(row.updatedAt) })}
        {sources.length > 0 && ` · ${t("reading.from", { sources: list(sources) })}`}
      </p>
    </article>
  );
}
