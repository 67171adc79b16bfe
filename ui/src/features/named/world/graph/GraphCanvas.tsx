import { Maximize2, ZoomIn, ZoomOut } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useMemo, useRef } from "react";
import { IconButton } from "../../../../components/Button";
import { useInk, useSizeOf, useTextWidths } from "../../../../components/canvas";
import { useLatest } from "../../../../components/hooks";
import { isShortcut } from "../../../../components/shortcuts/chosen";
import { useI18n } from "../../../../i18n/i18n";
import { useZoomFactor, zoomFactor } from "../../../../preferences/zoom";
import { type Camera, fitted, zoomed } from "./camera";
import type { Focus } from "./draw";
import { edgeAt, nodeAt, type Scene, towards } from "./hit";
import { inkOf } from "./ink";
import { byLinks, type Graph, neighbours } from "./model";
import { Painter } from "./painter";

const STEP = 1.4;
const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];

type CanvasProps = {
  graph: Graph;
  /** Empty until the layout begins. */
  positions: Float32Array;
  /** The layout is not finished. */
  busy: boolean;
  selected: number | undefined;
  /** The node that is to come into the middle. */
  centre: number | undefined;
  /** What the picture is, and how it is used with keys. */
  label: string;
  hint: string;
  /** There is a first picture. */
  onDrawn(): void;
  onCentred(): void;
  onSelect(place: number | undefined): void;
  onOpen(place: number): void;
  onAround(place: number): void;
};

type Pointer = { clientX: number; clientY: number };

/** Where a pointer is in the picture, in pixels of the design. */
function pointIn(box: HTMLElement | null, { clientX, clientY }: Pointer): [number, number] {
  const { left = 0, top = 0 } = box?.getBoundingClientRect() ?? {};
  return [(clientX - left) / zoomFactor(), (clientY - top) / zoomFactor()];
}

/** The picture of a graph. It is drawn outside of React: a camera that moves renders nothing else anew. */
export function GraphCanvas(props: CanvasProps) {
  const { graph, positions, busy, selected, centre, label, hint } = props;
  const { onDrawn, onCentred, onSelect, onOpen, onAround } = props;
  const { t } = useI18n();
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const camera = useRef<Camera>(undefined);
  const focus = useRef<Omit<Focus, "selected">>({ hovered: undefined, edge: undefined });
  const drag = useRef<{ x: number; y: number; camera: Camera; hasMoved: boolean }>(undefined);
  const size = useSizeOf(box);
  const enlarged = useZoomFactor();
  const ink = useInk(canvas, inkOf);
  const order = useMemo(() => byLinks(graph), [graph]);
  const widthOf = useTextWidths(canvas, ink?.font);
  const latest = useLatest({ graph, positions, selected, size, ink, order, widthOf });
  const painter = useRef<Painter>(undefined);
  const latestOnDrawn = useLatest(onDrawn);
  useEffect(() => {
    if (!canvas.current) return;
    const look = () => {
      const { ink, ...rest } = latest.current;
      if (!ink || rest.size.width === 0 || rest.positions.length === 0) return undefined;
      const at = camera.current ?? fitted(rest.positions, rest.size);
      const now = { ...focus.current, selected: rest.selected };
      return { ...rest, camera: at, ink, focus: now, ratio: (window.devicePixelRatio || 1) * zoomFactor() };
    };
    const made = new Painter(canvas.current, look, () => latestOnDrawn.current());
    painter.current = made;
    return () => made.stop();
  }, [latest, latestOnDrawn]);
  const redraw = useCallback((isMoving: boolean) => painter.current?.redraw(isMoving), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another graph is looked at from the start
  useEffect(() => {
    camera.current = undefined;
    focus.current = { hovered: undefined, edge: undefined };
  }, [graph]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever the picture shows
  useEffect(() => redraw(false), [redraw, positions, selected, size, ink, order]);

  const now = useCallback((): Camera => {
    const { positions, size } = latest.current;
    return camera.current ?? fitted(positions, size);
  }, [latest]);
  const move = useCallback(
    (next: Camera | undefined) => {
      camera.current = next;
      redraw(true);
    },
    [redraw],
  );
  const zoom = useCallback(
    (factor: number, x?: number, y?: number) => {
      const { size } = latest.current;
      move(zoomed(now(), size, factor, x ?? size.width / 2, y ?? size.height / 2));
    },
    [latest, move, now],
  );
  const latestOnCentred = useLatest(onCentred);
  useEffect(() => {
    if (centre === undefined || size.width === 0) return;
    const { positions } = latest.current;
    const [x = 0, y = 0] = [positions[2 * centre], positions[2 * centre + 1]];
    move({ x, y, scale: Math.max(now().scale, 0.8) });
    latestOnCentred.current();
  }, [centre, size.width, latest, move, now, latestOnCentred]);
  useEffect(() => {
    const element = box.current;
    // React listens to the wheel passively, so it could not keep the page from scrolling.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const factor = Math.exp(-Math.max(-240, Math.min(240, event.deltaY)) / 400);
      zoom(factor, ...pointIn(element, event));
    };
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, [zoom]);

  const pointOf = (event: Pointer) => pointIn(box.current, event);
  const scene = (): Scene => ({ graph, positions, size, camera: now() });
  const onMove = (event: PointerEvent) => {
    const start = drag.current;
    if (start) {
      const [x, y] = [(event.clientX - start.x) / enlarged, (event.clientY - start.y) / enlarged];
      if (Math.hypot(x, y) > 3) start.hasMoved = true;
      if (!start.hasMoved) return;
      focus.current = { hovered: undefined, edge: undefined };
      const { scale } = start.camera;
      return move({ x: start.camera.x - x / scale, y: start.camera.y - y / scale, scale });
    }
    const at = scene();
    const hovered = nodeAt(at, ...pointOf(event));
    const edge = hovered === undefined ? edgeAt(at, ...pointOf(event)) : undefined;
    if (hovered === focus.current.hovered && edge === focus.current.edge) return;
    focus.current = { hovered, edge };
    if (box.current) box.current.style.cursor = hovered === undefined ? "grab" : "pointer";
    redraw(false);
  };
  const onUp = (event: PointerEvent) => {
    const hasMoved = drag.current?.hasMoved ?? true;
    drag.current = undefined;
    if (!hasMoved) onSelect(nodeAt(scene(), ...pointOf(event)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current) return;
    if (isShortcut(event, "graph.zoomIn")) zoom(STEP);
    else if (isShortcut(event, "graph.zoomOut")) zoom(1 / STEP);
    else if (isShortcut(event, "graph.zoomReset")) move(undefined);
    else if (event.altKey || event.ctrlKey || event.metaKey) return;
    else if (ARROWS.includes(event.key)) {
      const near = selected === undefined ? [] : neighbours(graph, selected);
      // What has no neighbour must be left, too.
      const others = near.length > 0 ? near : graph.nodes.map((_, place) => place);
      const next = selected === undefined ? order[0] : towards(event.key, positions, selected, others);
      if (next !== undefined) onSelect(next);
    } else if (event.key === "Home") onSelect(order[0]);
    else if (event.key === "Enter" && selected !== undefined) onOpen(selected);
    else if (event.key === "Escape" && selected !== undefined) onSelect(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="relative min-h-0 min-w-0 flex-1">
      <div
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move in it
        tabIndex={0}
        role="application"
        aria-label={label}
        aria-describedby="graph-hint"
        aria-busy={busy}
        className="focus-inset absolute inset-0 cursor-grab overflow-hidden"
        style={{ touchAction: "none" }}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          drag.current = { x: event.clientX, y: event.clientY, camera: now(), hasMoved: false };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={onMove}
        onPointerUp={onUp}
        onPointerCancel={() => {
          drag.current = undefined;
        }}
        onPointerLeave={() => {
          focus.current = { hovered: undefined, edge: undefined };
          redraw(false);
        }}
        onDoubleClick={(event) => {
          const place = nodeAt(scene(), ...pointOf(event));
          if (place !== undefined) onAround(place);
        }}
      >
        <canvas ref={canvas} className="block size-full" aria-hidden />
      </div>
      <p id="graph-hint" className="sr-only">
        {hint}
      </p>
      <div className="absolute right-4 bottom-4 flex gap-1 rounded-md border border-line bg-raised p-1">
        <IconButton label={t("lanes.in")} shortcut="graph.zoomIn" onClick={() => zoom(STEP)}>
          <ZoomIn size={16} aria-hidden />
        </IconButton>
        <IconButton label={t("lanes.out")} shortcut="graph.zoomOut" onClick={() => zoom(1 / STEP)}>
          <ZoomOut size={16} aria-hidden />
        </IconButton>
        <IconButton label={t("lanes.whole")} shortcut="graph.zoomReset" onClick={() => move(undefined)}>
          <Maximize2 size={16} aria-hidden />
        </IconButton>
      </div>
    </div>
  );
}
