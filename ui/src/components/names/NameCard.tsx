import { PreviewCard } from "@base-ui/react/preview-card";
import { useQuery } from "@tanstack/react-query";
import { CalendarDays, FileText } from "lucide-react";
import { type ReactNode, useEffect, useId, useMemo } from "react";
import { useI18n } from "../../i18n/i18n";
import type { SubjectRow } from "../../ipc/bindings.gen";
import { detailQuery, pageQuery } from "../../ipc/queries";
import { plain } from "../plain";
import { KindIcon, useKindName } from "../SubjectKind";
import { TierIcon } from "../Tier";
import { visible } from "../visible";
import type { LinkTarget } from "./target";

/** Letters of a text that can show in two lines. */
const BEGINNING = 400;

type NameCardProps = {
  target: LinkTarget;
  /** The subject that it is. */
  row: SubjectRow | undefined;
  link: HTMLElement;
  onPointerEnter(): void;
  onPointerLeave(): void;
};

type Face = { icon: ReactNode; name: string; note: string };

/** What the card says, as far as it is read. */
function useContent(target: LinkTarget, subject: SubjectRow | undefined) {
  const { t } = useI18n();
  const kindName = useKindName();
  const isPage = target.kind === "page";
  const { data: memory } = useQuery({ ...detailQuery(target.id), enabled: !isPage });
  const { data: page } = useQuery({ ...pageQuery(target.id), enabled: isPage });
  const face = (): Face | null => {
    const className = "shrink-0 self-center text-ink-3";
    if (subject)
      return {
        icon: <KindIcon kind={subject.kind} size={14} className={className} />,
        name: subject.name,
        note: kindName(subject.kind),
      };
    if (page)
      return {
        icon: <FileText size={14} strokeWidth={1.75} className={className} aria-hidden />,
        name: visible(page.row.title),
        note: t("vault.kind"),
      };
    if (!memory) return null;
    const { row } = memory;
    return {
      icon: <TierIcon scope={row.scope} className="self-center" />,
      name: row.name ?? row.title ?? "",
      note: t(`tier.${row.scope}`),
    };
  };
  const content = page?.content ?? memory?.content;
  const shown = face();
  return {
    face: shown,
    text:
      content === undefined ? undefined : plain(content.slice(0, BEGINNING), [], shown?.name ?? null).text,
    storyTime: memory?.storyTime ?? null,
  };
}

/** What a name stands for: its kind, how its text begins, and when it holds in the story. */
export function NameCard({ target, row, link, onPointerEnter, onPointerLeave }: NameCardProps) {
  const { t } = useI18n();
  const id = useId();
  const { face, text, storyTime } = useContent(target, row);
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
            <p className="flex min-h-5 items-baseline gap-2">
              {face?.icon}
              <span className="min-w-0 truncate text-ui font-strong text-ink">{face?.name}</span>
              <span className="ml-auto shrink-0 text-meta text-ink-2">{face?.note}</span>
            </p>
            {/* As high as its two lines before they are there: nothing moves. */}
            <p className="mt-1.5 line-clamp-2 min-h-11 font-serif text-snippet wrap-anywhere text-ink-2">
              {text === "" ? <span className="text-ink-3 italic">{t("names.noText")}</span> : text}
            </p>
            {storyTime && (
              <p className="mt-1.5 flex items-start gap-2 text-meta text-ink-2">
                <CalendarDays
                  size={13}
                  strokeWidth={1.75}
                  className="mt-0.5 shrink-0 text-ink-3"
                  aria-hidden
                />
                {storyTime.text}
              </p>
            )}
          </PreviewCard.Popup>
        </PreviewCard.Positioner>
      </PreviewCard.Portal>
    </PreviewCard.Root>
  );
}
