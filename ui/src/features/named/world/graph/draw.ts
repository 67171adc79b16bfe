// Draws all of a graph but its texts. It runs in the page and in a worker: it reads nothing of the document.
import { type Curve, curveOf, pointOf, radiusOf, type Scene } from "./hit";
import { byLinks, byWeight, type Line, neighbours, type Outline } from "./model";
import { colourOf, shapeOf } from "./shapes";

/** The colours and the letters of the theme. A canvas cannot read the tokens itself. */
export type Ink = {
  ink: string;
  soft: string;
  paper: string;
  line: string;
  edge: string;
  accent: string;
  kinds: Record<string, string>;
  font: string;
};

export type Focus = {
  selected: number | undefined;
  hovered: number | undefined;
  /** The edge under the pointer. */
  edge: number | undefined;
};

/** Up to so many edges each has an arrow and a curve when nothing is in focus. */
const FEW = 1_200;
/** One path for so many figures: short enough to be quick, long enough to be few. */
const BATCH = 250;
/** A rim keeps nodes apart; from afar, where there are more of them in sight, it would eat them. */
const MOST_RIMS = 400;
/** How far from the picture a node still reaches into it. */
const REACH = 40;
const FAINT = 0.22;
/** How far the ring of what is in focus is away from it. */
export const RING = 5;

export type Picture = Scene & {
  focus: Focus;
  ink: Ink;
  /** Pixels of the screen for each pixel of the page. */
  ratio: number;
};

export type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** The nodes and edges that are in focus; null: nothing is. */
export function inFocus({ graph, focus }: Picture): { nodes: Set<number>; edges: Set<number> } | null {
  const { selected, hovered, edge } = focus;
  if (selected === undefined && hovered === undefined && edge === undefined) return null;
  const nodes = new Set<number>();
  const edges = new Set<number>();
  for (const place of [hovered ?? selected].filter((it) => it !== undefined)) {
    nodes.add(place);
    for (const next of neighbours(graph, place)) nodes.add(next);
    for (const at of graph.touching[place] ?? []) edges.add(at);
  }
  if (selected !== undefined) nodes.add(selected);
  const pointed = edge === undefined ? undefined : graph.edges[edge];
  if (edge !== undefined && pointed) {
    edges.add(edge);
    nodes.add(pointed.from).add(pointed.to);
  }
  return { nodes, edges };
}

/** Whether an edge passes by the picture. Most edges of a large graph do, so it makes no objects. */
function isOut({ positions, camera, size }: Scene, { from, to }: Line): boolean {
  const { x, y, scale } = camera;
  const [wide, high] = [size.width / 2 / scale, size.height / 2 / scale];
  const x1 = (positions[2 * from] ?? 0) - x;
  const x2 = (positions[2 * to] ?? 0) - x;
  if ((x1 < -wide && x2 < -wide) || (x1 > wide && x2 > wide)) return true;
  const y1 = (positions[2 * from + 1] ?? 0) - y;
  const y2 = (positions[2 * to + 1] ?? 0) - y;
  return (y1 < -high && y2 < -high) || (y1 > high && y2 > high);
}

function trace(context: Context, curve: Curve, bend: number): void {
  context.moveTo(curve.x1, curve.y1);
  if (bend === 0) context.lineTo(curve.x2, curve.y2);
  else context.quadraticCurveTo(curve.cx, curve.cy, curve.x2, curve.y2);
}

/** The head of an arrow, at the edge of the node that it leads to. */
function arrow(context: Context, curve: Curve, radius: number, length: number): void {
  const [tipX, tipY] = [curve.x2, curve.y2];
  const way = Math.hypot(tipX - curve.cx, tipY - curve.cy) || 1;
  const [x, y] = [(tipX - curve.cx) / way, (tipY - curve.cy) / way];
  // Behind the outline of the node.
  const [atX, atY] = [tipX - x * (radius + 1), tipY - y * (radius + 1)];
  const half = length * 0.42;
  context.moveTo(atX, atY);
  context.lineTo(atX - x * length - y * half, atY - y * length + x * half);
  context.lineTo(atX - x * length + y * half, atY - y * length - x * half);
  context.closePath();
}

type Stroke = { colour: string; width: number; arrows: number };

function drawEdges(context: Context, picture: Picture, edges: readonly Line[], stroke: Stroke): void {
  const { graph, camera } = picture;
  context.strokeStyle = stroke.colour;
  context.fillStyle = stroke.colour;
  context.lineWidth = stroke.width;
  const shown = edges.filter((edge) => !isOut(picture, edge));
  for (let at = 0; at < shown.length; at += BATCH) {
    const batch = shown.slice(at, at + BATCH).map((edge): [Line, Curve] => [edge, curveOf(picture, edge)]);
    context.beginPath();
    for (const [edge, curve] of batch) trace(context, curve, edge.bend);
    context.stroke();
    if (stroke.arrows === 0) continue;
    context.beginPath();
    for (const [edge, curve] of batch) {
      const radius = radiusOf(graph.touching[edge.to]?.length ?? 0, camera.scale);
      const room = Math.hypot(curve.x2 - curve.x1, curve.y2 - curve.y1) - 2 * radius;
      if (room > 1.5 * stroke.arrows) arrow(context, curve, radius, stroke.arrows);
    }
    context.fill();
  }
}

type Nodes = { faint: boolean; rims: boolean };

function drawNodes(
  context: Context,
  picture: Picture,
  nodes: readonly number[],
  { faint, rims }: Nodes,
): void {
  const { graph, camera, ink } = picture;
  const kinds = new Map<string, number[]>();
  for (const place of nodes) {
    const kind = graph.nodes[place]?.kind ?? "";
    const same = kinds.get(kind);
    if (same) same.push(place);
    else kinds.set(kind, [place]);
  }
  context.strokeStyle = ink.paper;
  context.lineWidth = 1.5;
  context.globalAlpha = faint ? FAINT : 1;
  for (const [kind, places] of kinds) {
    context.fillStyle = ink.kinds[colourOf(kind)] ?? ink.soft;
    const shape = shapeOf(kind);
    for (let from = 0; from < places.length; from += BATCH) {
      context.beginPath();
      for (const place of places.slice(from, from + BATCH)) {
        const [x, y] = pointOf(picture, place);
        const radius = radiusOf(graph.touching[place]?.length ?? 0, camera.scale);
        shape.forEach(([dx, dy], corner) => {
          if (corner === 0) context.moveTo(x + dx * radius, y + dy * radius);
          else context.lineTo(x + dx * radius, y + dy * radius);
        });
        context.closePath();
      }
      context.fill();
      if (rims) context.stroke();
    }
  }
  context.globalAlpha = 1;
}

function drawRing(context: Context, picture: Picture, place: number, width: number) {
  const [x, y] = pointOf(picture, place);
  context.strokeStyle = picture.ink.accent;
  context.lineWidth = width;
  context.beginPath();
  context.arc(
    x,
    y,
    1.15 * radiusOf(picture.graph.touching[place]?.length ?? 0, picture.camera.scale) + RING,
    0,
    7,
  );
  context.stroke();
}

/** The order of nodes and of edges by importance, once for each graph. */
export const ranked = (graph: Outline): Ranked => ({ order: byLinks(graph), edges: byWeight(graph) });

export type Ranked = { order: readonly number[]; edges: readonly Line[] };

/** Makes a canvas as large as a picture, and empty. */
export function clear<T extends HTMLCanvasElement | OffscreenCanvas>(
  canvas: T,
  { size, ratio }: Pick<Picture, "size" | "ratio">,
): (T extends HTMLCanvasElement ? CanvasRenderingContext2D : OffscreenCanvasRenderingContext2D) | undefined {
  const context = canvas.getContext("2d") as Context | null;
  if (!context || size.width <= 0) return undefined;
  const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
  // To set a size clears the picture, and costs new memory.
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  return context as ReturnType<typeof clear<T>>;
}

/** The nodes that reach into a picture of a size, the most linked last: they lie on top. */
function seenIn(picture: Picture, order: readonly number[], size: Scene["size"]): number[] {
  const { positions, camera } = picture;
  const wide = (size.width / 2 + REACH) / camera.scale;
  const high = (size.height / 2 + REACH) / camera.scale;
  return order
    .filter(
      (place) =>
        Math.abs((positions[2 * place] ?? 0) - camera.x) < wide &&
        Math.abs((positions[2 * place + 1] ?? 0) - camera.y) < high,
    )
    .reverse();
}

export const litEdges = <T extends Line>(graph: { edges: readonly T[] }, lit: { edges: Set<number> }): T[] =>
  graph.edges.filter((_, at) => lit.edges.has(at));

/** Draws all but the texts. `visible`: the size of what is shown of the picture in the end. */
export function paint(
  context: Context,
  picture: Picture,
  { order, edges }: Ranked,
  visible: Scene["size"],
): void {
  const { graph, camera, ink, focus } = picture;
  const lit = inFocus(picture);
  const isFew = graph.edges.length <= FEW;
  // Edges at rest: behind all else, and thin.
  drawEdges(context, picture, edges, {
    colour: lit || !isFew ? ink.line : ink.edge,
    // A line of one pixel of the screen is the only quick one without a graphics card.
    width: isFew ? 1 : 1 / picture.ratio,
    arrows: isFew && camera.scale > 0.35 && !lit ? 8 : 0,
  });
  const seen = seenIn(picture, order, picture.size);
  const inSight = picture.size === visible ? seen : seenIn(picture, order, visible);
  const nodes = (isLit: boolean) => {
    const isOf = (place: number) => (lit?.nodes.has(place) ?? false) === isLit;
    const rims = inSight.filter(isOf).length < MOST_RIMS;
    return drawNodes(context, picture, seen.filter(isOf), { faint: lit !== null && !isLit, rims });
  };
  nodes(false);
  if (lit) {
    drawEdges(context, picture, litEdges(graph, lit), { colour: ink.accent, width: 1.5, arrows: 9 });
    nodes(true);
  }
  if (focus.hovered !== undefined) drawRing(context, picture, focus.hovered, 1.5);
  if (focus.selected !== undefined) drawRing(context, picture, focus.selected, 2.5);
}
