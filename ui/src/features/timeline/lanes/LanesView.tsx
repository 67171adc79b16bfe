import { useQuery } from "@tanstack/react-query";
import { Maximize2, ZoomIn, ZoomOut } from "lucide-react";
import { type PointerEvent, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { IconButton } from "../../../components/Button";
import { useInk, useSizeOf, useTextWidths } from "../../../components/canvas";
import { useKindName } from "../../../components/SubjectKind";
import { useI18n } from "../../../i18n/i18n";
import type { TimelineRow } from "../../../ipc/bindings.gen";
import { chaptersQuery, ticksQuery } from "../../../ipc/queries";
import { rem, useZoomFactor } from "../../../preferences/zoom";
import { bands, chaptersOf, isChapter } from "./bands";
import { draw, drawBands, HEAD, heightOf, heightOfBands, type Ink, LINE, nameOf, type Place } from "./draw";
import { lanes, moved, type Range, scaleRequest, whole, zoomed } from "./layout";
import { useOncePerFrame } from "./useOncePerFrame";
import { useRange } from "./useRange";

/** Room for one mark of the scale, in pixels. */
const TICK = 120;
const STEP = 1.5;
/** Around a name, in pixels. */
const ROOM = 16;

type LanesProps = { rows: readonly TimelineRow[]; onOpen(row: TimelineRow): void };

/**
 * The timeline as lanes by kind, in front of the chapters. Everything in it is in the list and in the table of chapters too, which
 * keyboards and screen readers use.
 */
export function LanesView({ rows, onOpen }: LanesProps) {
  const { t } = useI18n();
  const kindName = useKindName();
  const frame = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const strip = useRef<HTMLCanvasElement>(null);
  const places = useRef<Place[]>([]);
  const stripPlaces = useRef<Place[]>([]);
  const drag = useRef<{ x: number; range: Range; hasMoved: boolean } | undefined>(undefined);
  const size = useSizeOf(box);
  const [top, setTop] = useState(0);
  const [hovered, setHovered] = useState<{ place: Place; inStrip: boolean }>();
  const enlarged = useZoomFactor();
  const colour = useInk(canvas, inkOf);
  const all = useMemo(() => whole(rows), [rows]);
  const { range, change } = useRange(all);
  const widthOf = useTextWidths(canvas, colour?.font);
  const widths = useCallback((row: TimelineRow) => widthOf(nameOf(row)), [widthOf]);
  const numbered = useQuery(chaptersQuery).data;
  const chapters = useMemo(() => chaptersOf(rows, numbered ?? []), [rows, numbered]);
  const others = useMemo(() => rows.filter((row) => !isChapter(row)), [rows]);
  const laid = useMemo(() => {
    const days = (range.until - range.from) / Math.max(size.width, 1);
    return lanes(others, range, (row) => (widths(row) + ROOM) * days);
  }, [others, range, size.width, widths]);
  const inSight = useMemo(
    () => bands(chapters, range, size.width, widths),
    [chapters, range, size.width, widths],
  );
  // At least what the whole needs: the lanes stay in their place when a chapter leaves the picture.
  const wholeHeight = useMemo(
    () => heightOfBands(bands(chapters, all, size.width, widths)),
    [chapters, all, size.width, widths],
  );
  const stripHeight = Math.max(wholeHeight, heightOfBands(inSight));
  const most = Math.max(2, Math.floor(size.width / TICK));
  // More than is in sight: a movement reads nothing until it leaves that.
  const ticks = useQuery(ticksQuery(scaleRequest(range, most))).data;
  const scale = size.width / (range.until - range.from);
  const shown = useMemo(
    () => (ticks ?? []).filter(({ day }) => day >= range.from && day <= range.until),
    [ticks, range],
  );

  const oncePerFrame = useOncePerFrame();
  useEffect(() => {
    if (!colour) return;
    const ticks = shown.map(({ day }) => day);
    const focus = hovered?.place.row.row.id;
    const scene = { bands: inSight, range, ticks, size, hovered: focus, colour, widthOf: widths };
    // The marks of a scale can arrive in the frame in which a movement was drawn.
    oncePerFrame(() => {
      if (!canvas.current) return;
      places.current = draw(canvas.current, { ...scene, lanes: laid, top });
      stripPlaces.current = strip.current
        ? drawBands(strip.current, { ...scene, size: { width: size.width, height: stripHeight } })
        : [];
    });
  }, [laid, inSight, range, shown, size, stripHeight, top, hovered, colour, widths, oncePerFrame]);

  const zoom = useCallback(
    /** `share`: how far from the left is what stays in its place. */
    (factor: number, share = 0.5) =>
      change((now) => zoomed(now, factor, now.from + share * (now.until - now.from))),
    [change],
  );
  useEffect(() => {
    const element = frame.current;
    // React listens to the wheel passively, so it could not keep the page from zooming.
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const { left = 0, width = 1 } = element?.getBoundingClientRect() ?? {};
      zoom(event.deltaY > 0 ? STEP : 1 / STEP, (event.clientX - left) / width);
    };
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, [zoom]);

  /** What the pointer does in one of the two pictures. */
  const pointer = (drawn: RefObject<Place[]>) => {
    const placeAt = (event: PointerEvent) => {
      const edge = event.currentTarget.getBoundingClientRect();
      const [x, y] = [(event.clientX - edge.left) / enlarged, (event.clientY - edge.top) / enlarged];
      return drawn.current.find(
        (it) => x >= it.x && x <= it.x + it.width && y >= it.y && y <= it.y + it.height,
      );
    };
    return {
      style: { cursor: hovered ? "pointer" : "grab", touchAction: "pan-y" },
      onPointerDown: (event: PointerEvent) => {
        drag.current = { x: event.clientX, range, hasMoved: false };
        event.currentTarget.setPointerCapture(event.pointerId);
      },
      onPointerMove: (event: PointerEvent) => {
        if (!drag.current) {
          const place = placeAt(event);
          if (place?.row === hovered?.place.row) return;
          return setHovered(place && { place, inStrip: drawn === stripPlaces });
        }
        const pixels = (event.clientX - drag.current.x) / enlarged;
        if (Math.abs(pixels) > 3) drag.current.hasMoved = true;
        if (!drag.current.hasMoved) return;
        setHovered(undefined);
        const { range } = drag.current;
        change(() => moved(range, -pixels / scale));
      },
      onPointerUp: (event: PointerEvent) => {
        const pressed = drag.current?.hasMoved ? undefined : placeAt(event);
        drag.current = undefined;
        if (pressed) onOpen(pressed.row);
      },
      onPointerLeave: () => setHovered(undefined),
    };
  };
  let below = 0;
  return (
    <div ref={frame} className="relative flex min-h-0 flex-1 flex-col select-none">
      <div className="relative h-8 shrink-0 overflow-hidden border-b border-line" aria-hidden>
        {shown.map(({ day, text }) => (
          <span
            key={day}
            className="tabular absolute top-2 pl-1.5 text-meta whitespace-nowrap text-ink-2"
            style={{ left: rem((day - range.from) * scale) }}
          >
            {text}
          </span>
        ))}
      </div>
      {stripHeight > 0 && (
        <div
          className="relative shrink-0 overflow-hidden border-b border-line"
          aria-hidden
          {...pointer(stripPlaces)}
        >
          <canvas
            ref={strip}
            className="block"
            style={{ width: rem(size.width), height: rem(stripHeight) }}
          />
          <span className="pointer-events-none absolute top-2 left-4 text-meta text-ink-2">
            {kindName("chapter")}
          </span>
        </div>
      )}
      <div
        ref={box}
        // Lanes below the edge are reached by arrow keys.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
        className="focus-inset relative min-h-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain"
        onScroll={(event) => setTop(event.currentTarget.scrollTop / enlarged)}
        {...pointer(places)}
      >
        <canvas
          ref={canvas}
          role="img"
          aria-label={t("lanes.label", { count: rows.length })}
          className="sticky top-0 block"
          style={{ width: rem(size.width), height: rem(size.height) }}
        />
        <div className="absolute top-0 left-0 w-full" style={{ height: rem(heightOf(laid)) }} aria-hidden>
          {laid.map(({ kind, lines }) => {
            const at = below;
            below += HEAD + lines * LINE;
            return (
              <span
                key={kind ?? ""}
                className="pointer-events-none absolute left-4 text-meta text-ink-2"
                style={{ top: rem(at + 8) }}
              >
                {kind === null ? t("lanes.memories") : kindName(kind)}
              </span>
            );
          })}
        </div>
      </div>
      {hovered && <Tip place={hovered.place} width={size.width} above={hovered.inStrip ? 0 : stripHeight} />}
      <div className="absolute right-4 bottom-4 flex gap-1 rounded-md border border-line bg-raised p-1">
        <IconButton label={t("lanes.in")} onClick={() => zoom(1 / STEP)}>
          <ZoomIn size={16} aria-hidden />
        </IconButton>
        <IconButton label={t("lanes.out")} onClick={() => zoom(STEP)}>
          <ZoomOut size={16} aria-hidden />
        </IconButton>
        <IconButton label={t("lanes.whole")} onClick={() => change(() => undefined)}>
          <Maximize2 size={16} aria-hidden />
        </IconButton>
      </div>
    </div>
  );
}

type TipProps = {
  place: Place;
  width: number;
  /** The height of what stands above the picture of the place. */
  above: number;
};

function Tip({ place: { row, x, y }, width, above }: TipProps) {
  const { t } = useI18n();
  const notes = [
    row.readingNumber === null ? null : t("timeline.reading", { number: row.readingNumber }),
    row.flashback ? t("chapters.flashback") : null,
  ].filter(Boolean);
  return (
    <p
      className="pointer-events-none absolute z-10 max-w-72 rounded-md border border-line bg-raised px-2 py-1 text-meta text-ink shadow-pop"
      style={{ left: rem(Math.min(Math.max(x, 8), width - 296)), top: rem(above + y + 60) }}
    >
      {nameOf(row)}
      <span className="block text-ink-2">{row.time?.text}</span>
      {notes.length > 0 && <span className="block text-ink-2">{notes.join(" · ")}</span>}
    </p>
  );
}

const inkOf = (color: (token: string) => string, font: string): Ink => ({
  ink: color("ink"),
  line: color("line"),
  edge: color("line-strong"),
  accent: color("accent"),
  paper: color("paper"),
  bar: color("sunken"),
  chapter: color("kind-chapter"),
  font,
});
