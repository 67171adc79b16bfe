import { useQuery } from "@tanstack/react-query";
import { Maximize2, ZoomIn, ZoomOut } from "lucide-react";
import { type PointerEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { IconButton } from "../../../components/Button";
import { useKindName } from "../../../components/SubjectKind";
import { useI18n } from "../../../i18n/i18n";
import type { TimelineRow } from "../../../ipc/bindings.gen";
import { ticksQuery } from "../../../ipc/queries";
import { onThemeChange, resolveColor } from "../../../theme/theme";
import { draw, HEAD, heightOf, type Ink, LINE, nameOf, type Place } from "./draw";
import { lanes, moved, type Range, whole, zoomed } from "./layout";

/** Room for one mark of the scale, in pixels. */
const TICK = 120;
const STEP = 1.5;

type LanesProps = { rows: readonly TimelineRow[]; onOpen(row: TimelineRow): void };

/** The timeline as lanes by kind. Everything in it is in the list too, which keyboards and screen readers use. */
export function LanesView({ rows, onOpen }: LanesProps) {
  const { t } = useI18n();
  const kindName = useKindName();
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const places = useRef<Place[]>([]);
  const drag = useRef<{ x: number; range: Range; hasMoved: boolean } | undefined>(undefined);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [top, setTop] = useState(0);
  const [chosen, setRange] = useState<Range>();
  const [hovered, setHovered] = useState<Place>();
  const colour = useInk(canvas);
  const all = useMemo(() => whole(rows), [rows]);
  const range = chosen ?? all;

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const widths = useWidths(canvas);
  const laid = useMemo(() => {
    const days = (range.until - range.from) / Math.max(size.width, 1);
    return lanes(rows, range, (row) => widths(row) * days);
  }, [rows, range, size.width, widths]);
  const most = Math.max(2, Math.floor(size.width / TICK));
  const request = { from: Math.floor(range.from), until: Math.ceil(range.until), most };
  const ticks = useQuery(ticksQuery(request)).data;
  const scale = size.width / (range.until - range.from);
  const shown = useMemo(
    () => (ticks ?? []).filter(({ day }) => day >= range.from && day <= range.until),
    [ticks, range],
  );

  useEffect(() => {
    if (!canvas.current || !colour) return;
    const days = shown.map(({ day }) => day);
    const scene = { lanes: laid, range, ticks: days, size, top, hovered: hovered?.bar.row.row.id, colour };
    places.current = draw(canvas.current, scene);
  }, [laid, range, shown, size, top, hovered, colour]);

  const zoom = useCallback(
    (factor: number, around?: number) =>
      setRange((before) => {
        const now = before ?? all;
        return zoomed(now, factor, around ?? (now.from + now.until) / 2);
      }),
    [all],
  );
  useEffect(() => {
    const element = box.current;
    // React listens to the wheel passively, so it could not keep the page from zooming.
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const at = event.clientX - (element?.getBoundingClientRect().left ?? 0);
      zoom(event.deltaY > 0 ? STEP : 1 / STEP, range.from + at / scale);
    };
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, [zoom, range.from, scale]);

  const placeAt = (event: PointerEvent) => {
    const edge = box.current?.getBoundingClientRect();
    const [x, y] = [event.clientX - (edge?.left ?? 0), event.clientY - (edge?.top ?? 0)];
    return places.current.find(
      (it) => x >= it.x && x <= it.x + it.width && y >= it.y && y <= it.y + it.height,
    );
  };
  const onMove = (event: PointerEvent) => {
    if (!drag.current) return setHovered(placeAt(event));
    const pixels = event.clientX - drag.current.x;
    if (Math.abs(pixels) > 3) drag.current.hasMoved = true;
    if (drag.current.hasMoved) setRange(moved(drag.current.range, -pixels / scale));
  };
  const onUp = (event: PointerEvent) => {
    const pressed = drag.current?.hasMoved ? undefined : placeAt(event);
    drag.current = undefined;
    if (pressed) onOpen(pressed.bar.row);
  };
  let below = 0;
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div className="relative h-8 shrink-0 overflow-hidden border-b border-line" aria-hidden>
        {shown.map(({ day, text }) => (
          <span
            key={day}
            className="tabular absolute top-2 pl-1.5 text-meta whitespace-nowrap text-ink-2"
            style={{ left: (day - range.from) * scale }}
          >
            {text}
          </span>
        ))}
      </div>
      <div
        ref={box}
        className="relative min-h-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain"
        style={{ cursor: hovered ? "pointer" : "grab", touchAction: "pan-y" }}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        onPointerDown={(event) => {
          drag.current = { x: event.clientX, range, hasMoved: false };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={onMove}
        onPointerUp={onUp}
        onPointerLeave={() => setHovered(undefined)}
      >
        <canvas
          ref={canvas}
          role="img"
          aria-label={t("lanes.label", { count: rows.length })}
          className="sticky top-0 block"
          style={{ width: size.width, height: size.height }}
        />
        <div className="absolute top-0 left-0 w-full" style={{ height: heightOf(laid) }} aria-hidden>
          {laid.map(({ kind, lines }) => {
            const at = below;
            below += HEAD + lines * LINE;
            return (
              <span
                key={kind ?? ""}
                className="pointer-events-none absolute left-4 text-meta text-ink-2"
                style={{ top: at + 8 }}
              >
                {kind === null ? t("lanes.memories") : kindName(kind)}
              </span>
            );
          })}
        </div>
      </div>
      {hovered && <Tip place={hovered} width={size.width} />}
      <div className="absolute right-4 bottom-4 flex gap-1 rounded-md border border-line bg-raised p-1">
        <IconButton label={t("lanes.in")} onClick={() => zoom(1 / STEP)}>
          <ZoomIn size={16} aria-hidden />
        </IconButton>
        <IconButton label={t("lanes.out")} onClick={() => zoom(STEP)}>
          <ZoomOut size={16} aria-hidden />
        </IconButton>
        <IconButton label={t("lanes.whole")} onClick={() => setRange(undefined)}>
          <Maximize2 size={16} aria-hidden />
        </IconButton>
      </div>
    </div>
  );
}

function Tip({ place: { bar, x, y }, width }: { place: Place; width: number }) {
  return (
    <p
      className="pointer-events-none absolute max-w-72 rounded-md border border-line bg-raised px-2 py-1 text-meta text-ink shadow-pop"
      style={{ left: Math.min(Math.max(x, 8), width - 296), top: y + 60 }}
    >
      {nameOf(bar.row)}
      <span className="block text-ink-2">{bar.row.time?.text}</span>
    </p>
  );
}

/** How wide the names are, measured once each. */
function useWidths(canvas: { current: HTMLCanvasElement | null }) {
  const known = useRef(new Map<string, number>());
  return useCallback(
    (row: TimelineRow) => {
      const text = nameOf(row);
      const found = known.current.get(text);
      if (found !== undefined) return found;
      const context = canvas.current?.getContext("2d");
      if (!context || !canvas.current) return text.length * 7;
      context.font = `12px ${getComputedStyle(canvas.current).fontFamily}`;
      const width = context.measureText(text).width + 16;
      known.current.set(text, width);
      return width;
    },
    [canvas],
  );
}

/** The colours of the theme that is in force. */
function useInk(canvas: { current: HTMLCanvasElement | null }): Ink | undefined {
  const [ink, setInk] = useState<Ink>();
  useEffect(() => {
    const read = () => {
      const near = canvas.current;
      if (!near) return;
      const of = (token: string) => resolveColor(token, near);
      setInk({
        ink: of("ink"),
        line: of("line"),
        edge: of("line-strong"),
        accent: of("accent"),
        wash: of("accent-wash"),
        bar: of("sunken"),
        font: `12px ${getComputedStyle(near).fontFamily}`,
      });
    };
    read();
    return onThemeChange(read);
  }, [canvas]);
  return ink;
}
