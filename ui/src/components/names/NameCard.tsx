import { PreviewCard } from "@base-ui/react/preview-card";
import { useQuery } from "@tanstack/react-query";
import { CalendarDays } from "lucide-react";
import { useEffect, useId, useMemo } from "react";
import { useI18n } from "../../i18n/i18n";
import type { SubjectRow } from "../../ipc/bindings.gen";
import { detailQuery } from "../../ipc/queries";
import { plain } from "../plain";
import { KindIcon, useKindName } from "../SubjectKind";

/** Letters of a text that can show in two lines. */
const BEGINNING = 400;

type NameCardProps = {
  row: SubjectRow;
  link: HTMLElement;
  onPointerEnter(): void;
  onPointerLeave(): void;
};

/** What a name stands for: its kind, how its text begins, and when it holds in the story. */
export function NameCard({ row, link, onPointerEnter, onPointerLeave }: NameCardProps) {
  const { t } = useI18n();
  const kindName = useKindName();
  const id = useId();
  const { data } = useQuery(detailQuery(row.id));
  useEffect(() => {
    link.setAttribute("aria-describedby", id);
    return () => link.removeAttribute("aria-describedby");
  }, [link, id]);
  // A name may break over two lines: the card hangs from the first part of it.
  const anchor = useMemo(
    () => ({
      getBoundingClientRect: () => link.getClientRects()[0] ?? link.getBoundingClientRect(),
      contextElement: link,
    }),
    [link],
  );
  const text = data && plain(data.content.slice(0, BEGINNING), [], row.name).text;
  return (
    <PreviewCard.Root open>
      <PreviewCard.Portal>
        <PreviewCard.Positioner
          anchor={anchor}
          side="bottom"
          align="start"
          sideOffset={6}
          className="z-50 data-anchor-hidden:hidden"
        >
          <PreviewCard.Popup
            id={id}
            role="tooltip"
            onPointerEnter={onPointerEnter}
            onPointerLeave={onPointerLeave}
            className="appear w-72 rounded-md border border-line bg-raised p-3 shadow-pop outline-none"
          >
            <p className="flex items-baseline gap-2">
              <KindIcon kind={row.kind} size={14} className="shrink-0 self-center text-ink-3" />
              <span className="min-w-0 truncate text-ui font-strong text-ink">{row.name}</span>
              <span className="ml-auto shrink-0 text-meta text-ink-2">{kindName(row.kind)}</span>
            </p>
            {/* As high as its two lines before they are there: nothing moves. */}
            <p className="mt-1.5 line-clamp-2 min-h-11 font-serif text-snippet wrap-anywhere text-ink-2">
              {text === "" ? <span className="text-ink-3 italic">{t("names.noText")}</span> : text}
            </p>
            {data?.storyTime && (
              <p className="mt-1.5 flex items-start gap-2 text-meta text-ink-2">
                <CalendarDays
                  size={13}
                  strokeWidth={1.75}
                  className="mt-0.5 shrink-0 text-ink-3"
                  aria-hidden
                />
                {data.storyTime.text}
              </p>
            )}
          </PreviewCard.Popup>
        </PreviewCard.Positioner>
      </PreviewCard.Portal>
    </PreviewCard.Root>
  );
}
