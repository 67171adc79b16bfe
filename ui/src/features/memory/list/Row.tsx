import { clsx } from "clsx";
import { Check, Pencil, Pin } from "lucide-react";
import { type MouseEvent, memo, useMemo } from "react";
import { Highlight } from "../../../components/Highlight";
import { plain } from "../../../components/plain";
import { TierIcon } from "../../../components/Tier";
import { Time } from "../../../components/Time";
import { useI18n } from "../../../i18n/i18n";
import type { MemoryRow, SearchHit } from "../../../ipc/bindings.gen";
import { rem } from "../../../preferences/zoom";

/** In pixels of the design. */
export const ROW_HEIGHT = 88;

export const rowId = (id: string) => `memory-${id}`;

type RowProps = {
  row: MemoryRow;
  hit: SearchHit | undefined;
  index: number;
  top: number;
  active: boolean;
  open: boolean;
  selected: boolean;
  selecting: boolean;
  draft: boolean;
  onPress(index: number, event: MouseEvent): void;
  onToggle(index: number, event: MouseEvent): void;
};

/** The edges of low, medium and high, as in the facet. */
const BARS = [0, 0.3, 0.7];

function Importance({ value }: { value: number }) {
  const { t, number } = useI18n();
  const label = t("list.importance", {
    value: number(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  });
  return (
    <span role="img" aria-label={label} title={label} className="inline-flex h-3 items-end gap-0.5">
      {[0, 1, 2].map((bar) => (
        <span
          key={bar}
          style={{ height: rem(4 + bar * 3) }}
          className={clsx("w-0.75 rounded-[1px]", value >= (BARS[bar] ?? 0) ? "bg-ink-3" : "bg-line")}
        />
      ))}
    </span>
  );
}

export const Row = memo(function Row(props: RowProps) {
  const { row, hit, index, top, active, open, selected, selecting, draft, onPress, onToggle } = props;
  const { t } = useI18n();
  const gone = row.forgottenAt !== null;
  const heading = row.name ?? row.title;
  const shown = useMemo(
    () => (hit ? plain(hit.snippet, hit.spans, heading) : plain(row.preview, [], heading)),
    [hit, row.preview, heading],
  );
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus and names the active row
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the grid
    <div
      id={rowId(row.id)}
      role="row"
      data-memory={row.id}
      aria-rowindex={index + 1}
      aria-selected={selected}
      aria-current={open ? "true" : undefined}
      data-active-row={active}
      onClick={(event) => onPress(index, event)}
      style={{ transform: `translateY(${top}px)`, height: rem(ROW_HEIGHT) }}
      className={clsx(
        "group contain-strict absolute inset-x-0 top-0 flex cursor-default items-center pr-4 pl-3 select-none",
        "after:absolute after:right-4 after:bottom-0 after:left-12 after:h-px after:bg-line",
        selected || open ? "bg-accent-wash" : "hover:bg-hover",
        active &&
          "in-[[role=grid]:focus-visible]:outline-2 in-[[role=grid]:focus-visible]:-outline-offset-2 in-[[role=grid]:focus-visible]:outline-accent",
      )}
    >
      <div role="presentation" className="flex min-w-0 flex-1 gap-3">
        {/* biome-ignore lint/a11y/useFocusableInteractive: a cell is reached through its row */}
        <div role="gridcell" className="relative flex w-6 shrink-0 justify-center">
          <TierIcon
            scope={row.scope}
            size={15}
            className={clsx("mt-1", selecting ? "hidden" : "group-hover:invisible")}
          />
          <button
            type="button"
            tabIndex={-1}
            aria-label={t("list.select")}
            aria-pressed={selected}
            onClick={(event) => {
              event.stopPropagation();
              onToggle(index, event);
            }}
            className={clsx(
              "absolute -top-px size-6 items-center justify-center",
              selecting ? "flex" : "hidden group-hover:flex",
            )}
          >
            <span
              className={clsx(
                "flex size-4 items-center justify-center rounded-sm border",
                selected ? "border-accent bg-accent text-on-accent" : "border-line-strong bg-paper",
              )}
            >
              {selected && <Check size={12} strokeWidth={3} aria-hidden />}
            </span>
          </button>
        </div>
        {/* biome-ignore lint/a11y/useFocusableInteractive: a cell is reached through its row */}
        <div role="gridcell" className="flex min-w-0 flex-1 flex-col gap-1">
          <p
            className={clsx(
              "line-clamp-2 font-serif text-snippet wrap-anywhere text-ink",
              gone && "text-ink-3 line-through decoration-line-strong decoration-1",
            )}
          >
            {heading && <span className="font-[600]">{heading}. </span>}
            <Highlight {...shown} />
          </p>
          <div className="flex items-center gap-2 text-meta whitespace-nowrap text-ink-3">
            <span className="min-w-0 shrink truncate">
              {row.channelName && <span className="sr-only">{t(`tier.${row.scope}`)}, </span>}
              {row.channelName ? `#${row.channelName}` : t(`tier.${row.scope}`)}
            </span>
            <span aria-hidden className="narrow:hidden">
              ·
            </span>
            <span className="min-w-0 truncate narrow:sr-only">{t(`curator.by.${row.curator}`)}</span>
            <span aria-hidden>·</span>
            <Time iso={row.updatedAt} className="shrink-0" />
            {row.tags.length > 0 && !draft && (
              // One line high: where there is no room for a word the tags go to the second one, with their dot.
              <span className="flex h-4 min-w-0 flex-1 flex-wrap overflow-hidden">
                <span aria-hidden className="h-4 w-px" />
                <span data-tags className="min-w-12 flex-1 basis-0 truncate">
                  <span aria-hidden className="mr-2">
                    ·
                  </span>
                  {row.tags.join(", ")}
                </span>
              </span>
            )}
            <span className="ml-auto flex shrink-0 items-center gap-2 pl-2">
              {hit?.explanation.contributions.some((part) => part.list === "name") && (
                <span className="text-accent">{t("search.byName")}</span>
              )}
              {hit?.showsPassage && <span className="text-accent">{t("search.passage")}</span>}
              {hit && hit.folded.length > 0 && (
                <span>{t("search.folded", { count: hit.folded.length })}</span>
              )}
              {row.kind === "archive" && <span>{t("kind.archive")}</span>}
              {gone && <span>{t("list.forgotten")}</span>}
              {draft && (
                <span className="inline-flex items-center gap-1 text-warn">
                  <Pencil size={11} aria-hidden />
                  {t("list.draft")}
                </span>
              )}
              {row.pinned && (
                <Pin size={12} role="img" aria-label={t("list.pinned")} className="text-ink-2" />
              )}
              <Importance value={row.importance} />
            </span>
          </div>
        </div>
      </div>
    </div>
  );
});
