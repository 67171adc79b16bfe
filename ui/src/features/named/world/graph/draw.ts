import { type Camera, toGraph, toScreen } from "./camera";
import { along, type Curve, curveOf, pointOf, radiusOf, type Scene } from "./hit";
import { type Candidate, chooseLabels, type Label, placeWord, Taken } from "./labels";
import { byLinks, type Edge, neighbours } from "./model";
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

/** Names at most, and nodes that are asked for one. */
const MOST_LABELS = 160;
const MOST_ASKED = 900;
/** Relations with words on them, around one subject. */
const MOST_WORDS = 24;
/** Up to so many edges each has an arrow and a curve when nothing is in focus. */
const FEW = 1_200;
/** Names where more nodes are in sight than are asked: a crowd of names would hide what it names. */
const LABELS_OF_MANY = 50;
/** One path for so many figures: short enough to be quick, long enough to be few. */
const BATCH = 250;
/** A rim keeps nodes apart; from afar, where there are more of them in sight, it would eat them. */
const MOST_RIMS = 400;
/** How far from the picture a node still reaches into it. */
const REACH = 40;
const FAINT = 0.22;
/** How far the ring of what is in focus is away from it. */
const RING = 5;

export type Picture = Scene & { focus: Focus; ink: Ink; widthOf(text: string): number };

/** The nodes and edges that are in focus; null: nothing is. */
function inFocus({ graph, focus }: Picture): { nodes: Set<number>; edges: Set<number> } | null {
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
function isOut({ positions, camera, size }: Scene, { from, to }: Edge): boolean {
  const { x, y, scale } = camera;
  const [wide, high] = [size.width / 2 / scale, size.height / 2 / scale];
  const x1 = (positions[2 * from] ?? 0) - x;
  const x2 = (positions[2 * to] ?? 0) - x;
  if ((x1 < -wide && x2 < -wide) || (x1 > wide && x2 > wide)) return true;
  const y1 = (positions[2 * from + 1] ?? 0) - y;
  const y2 = (positions[2 * to + 1] ?? 0) - y;
  return (y1 < -high && y2 < -high) || (y1 > high && y2 > high);
}

function trace(context: CanvasRenderingContext2D, curve: Curve, bend: number): void {
  context.moveTo(curve.x1, curve.y1);
  if (bend === 0) context.lineTo(curve.x2, curve.y2);
  else context.quadraticCurveTo(curve.cx, curve.cy, curve.x2, curve.y2);
}

/** The head of an arrow, at the edge of the node that it leads to. */
function arrow(context: CanvasRenderingContext2D, curve: Curve, radius: number, length: number): void {
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

function* drawEdges(
  context: CanvasRenderingContext2D,
  picture: Picture,
  edges: readonly Edge[],
  stroke: Stroke,
): Generator<void> {
  const { graph, camera } = picture;
  context.strokeStyle = stroke.colour;
  context.fillStyle = stroke.colour;
  context.lineWidth = stroke.width;
  const shown = edges.filter((edge) => !isOut(picture, edge));
  for (let at = 0; at < shown.length; at += BATCH) {
    if (at > 0) yield;
    const batch = shown.slice(at, at + BATCH).map((edge): [Edge, Curve] => [edge, curveOf(picture, edge)]);
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

function* drawNodes(
  context: CanvasRenderingContext2D,
  picture: Picture,
  nodes: readonly number[],
  { faint, rims }: Nodes,
): Generator<void> {
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
      yield;
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

function drawRing(context: CanvasRenderingContext2D, picture: Picture, place: number, width: number) {
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

/** A text at a point of the graph, and how far from that its left end is, in pixels. It keeps its size when the camera moves. */
export type Text = { text: string; colour: string; x: number; y: number; dx: number; dy: number };

/** Letters with the colour of the paper around them. */
export function writeTexts(
  context: CanvasRenderingContext2D,
  texts: readonly Text[],
  camera: Camera,
  size: Scene["size"],
  ink: Ink,
): void {
  context.lineJoin = "round";
  context.lineWidth = 3.5;
  context.strokeStyle = ink.paper;
  for (const { text, colour, dx, dy, ...at } of texts) {
    const [x, y] = toScreen(camera, size, at.x, at.y);
    context.strokeText(text, x + dx, y + dy);
    context.fillStyle = colour;
    context.fillText(text, x + dx, y + dy);
  }
}

/** Which names are shown: what is in focus, then the most linked. */
function labelsOf(
  picture: Picture,
  order: readonly number[],
  lit: Set<number> | null,
  taken: Taken,
): Label[] {
  const { graph, camera, size, focus } = picture;
  const first = [focus.hovered, focus.selected].filter((it) => it !== undefined);
  const rest = lit ? order.filter((place) => lit.has(place)) : order;
  const candidates: Candidate[] = [];
  for (const place of new Set([...first, ...rest])) {
    const [x, y] = pointOf(picture, place);
    if (x < 0 || y < 0 || x > size.width || y > size.height) continue;
    const ring = first.includes(place) ? RING : 0;
    const radius = radiusOf(graph.touching[place]?.length ?? 0, camera.scale) + ring;
    const width = picture.widthOf(graph.nodes[place]?.name ?? "");
    candidates.push({ place, x, y, radius, width });
    if (candidates.length >= MOST_ASKED) break;
  }
  const isAiry = candidates.length <= 250;
  const most = candidates.length >= MOST_ASKED ? LABELS_OF_MANY : MOST_LABELS;
  return chooseLabels(candidates, most, first.length, isAiry ? candidates : [], taken);
}

/** Shares of the way at which the words of a relation can stand. */
const SHARES = [0.5, 0.4, 0.6, 0.3, 0.7];

/** Words of relations in focus, each on its curve, where they cover no name. The panel has them all. */
function wordsOf(picture: Picture, edges: readonly Edge[], taken: Taken): Text[] {
  if (edges.length > MOST_WORDS) return [];
  const { camera, size, ink } = picture;
  return edges.flatMap((edge) => {
    const curve = curveOf(picture, edge);
    const points = SHARES.map((share) => along(curve, share));
    const width = picture.widthOf(edge.relation);
    const spot = placeWord(taken, points, width);
    if (!spot) return [];
    const [x, y] = toGraph(camera, size, spot.x + width / 2, spot.y);
    return [{ text: edge.relation, colour: ink.accent, x, y, dx: -width / 2, dy: 0 }];
  });
}

/** All texts of a picture: words of relations, and names above them. */
export function textsOf(picture: Picture, { order }: Ranked): Text[] {
  const { graph, positions, focus, ink } = picture;
  const lit = inFocus(picture);
  const taken = new Taken();
  const labels = labelsOf(picture, order, lit?.nodes ?? null, taken);
  const words = lit ? wordsOf(picture, litEdges(picture, lit), taken) : [];
  const names = labels.map(({ place, x, y }): Text => {
    const isFirst = place === focus.selected || place === focus.hovered;
    const [atX, atY] = pointOf(picture, place);
    return {
      text: graph.nodes[place]?.name ?? "",
      colour: isFirst || lit ? ink.ink : ink.soft,
      x: positions[2 * place] ?? 0,
      y: positions[2 * place + 1] ?? 0,
      dx: x - atX,
      dy: y - atY,
    };
  });
  return [...words, ...names];
}

/** The order of nodes and of edges by importance, once for each graph. */
export function ranked(graph: Scene["graph"]) {
  const order = byLinks(graph);
  const links = (place: number) => graph.touching[place]?.length ?? 0;
  const weight = ({ from, to }: Edge) => Math.min(links(from), links(to));
  return { order, edges: [...graph.edges].sort((a, b) => weight(b) - weight(a)) };
}

export type Ranked = ReturnType<typeof ranked>;

/** Makes a canvas as large as a picture, and empty. */
export function clear(
  canvas: HTMLCanvasElement,
  { size, ink }: Pick<Picture, "size" | "ink">,
): CanvasRenderingContext2D | undefined {
  const context = canvas.getContext("2d");
  if (!context || size.width <= 0) return undefined;
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
  // To set a size clears the picture, and costs new memory.
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  context.font = ink.font;
  context.textBaseline = "middle";
  return context;
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

const litEdges = ({ graph }: Picture, lit: { edges: Set<number> }): Edge[] =>
  graph.edges.filter((_, at) => lit.edges.has(at));

/**
 * Draws all but the texts, in short steps. `visible`: the size of what is shown of the picture in the end.
 */
export function* paint(
  context: CanvasRenderingContext2D,
  picture: Picture,
  { order, edges }: Ranked,
  visible: Scene["size"],
): Generator<void> {
  const { graph, camera, ink, focus } = picture;
  const lit = inFocus(picture);
  const isFew = graph.edges.length <= FEW;
  // Edges at rest: behind all else, and thin.
  yield* drawEdges(context, picture, edges, {
    colour: lit || !isFew ? ink.line : ink.edge,
    // A line of one pixel of the screen is the only quick one without a graphics card.
    width: isFew ? 1 : 1 / (window.devicePixelRatio || 1),
    arrows: isFew && camera.scale > 0.35 && !lit ? 8 : 0,
  });
  const seen = seenIn(picture, order, picture.size);
  const inSight = picture.size === visible ? seen : seenIn(picture, order, visible);
  const nodes = (isLit: boolean) => {
    const isOf = (place: number) => (lit?.nodes.has(place) ?? false) === isLit;
    const rims = inSight.filter(isOf).length < MOST_RIMS;
    return drawNodes(context, picture, seen.filter(isOf), { faint: lit !== null && !isLit, rims });
  };
  yield* nodes(false);
  if (lit) {
    yield* drawEdges(context, picture, litEdges(picture, lit), { colour: ink.accent, width: 1.5, arrows: 9 });
    yield* nodes(true);
  }
  if (focus.hovered !== undefined) drawRing(context, picture, focus.hovered, 1.5);
  if (focus.selected !== undefined) drawRing(context, picture, focus.selected, 2.5);
}
