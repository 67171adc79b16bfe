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
/** Edges that one frame has time for. */
const PART = 2_000;
/** Names where more nodes are in sight than are asked: a crowd of names would hide what it names. */
const LABELS_OF_MANY = 50;
/** One path for so many figures: short enough to be quick, long enough to be few. */
const BATCH = 250;
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

const isOut = ({ x1, y1, x2, y2 }: Curve, { width, height }: Scene["size"]) =>
  Math.max(x1, x2) < 0 || Math.min(x1, x2) > width || Math.max(y1, y2) < 0 || Math.min(y1, y2) > height;

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

function drawEdges(
  context: CanvasRenderingContext2D,
  picture: Picture,
  edges: readonly Edge[],
  stroke: Stroke,
) {
  const { graph, size, camera } = picture;
  context.strokeStyle = stroke.colour;
  context.fillStyle = stroke.colour;
  context.lineWidth = stroke.width;
  const shown: [Edge, Curve][] = [];
  for (const edge of edges) {
    const curve = curveOf(picture, edge);
    if (!isOut(curve, size)) shown.push([edge, curve]);
  }
  for (let at = 0; at < shown.length; at += BATCH) {
    const batch = shown.slice(at, at + BATCH);
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

function drawNodes(
  context: CanvasRenderingContext2D,
  picture: Picture,
  nodes: readonly number[],
  faint: boolean,
) {
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
      // A rim keeps nodes apart; from afar it would eat them.
      if (nodes.length < 400) context.stroke();
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

/** Letters with the colour of the paper around them. */
function write(
  context: CanvasRenderingContext2D,
  picture: Picture,
  text: string,
  x: number,
  y: number,
  colour: string,
) {
  context.lineJoin = "round";
  context.lineWidth = 3.5;
  context.strokeStyle = picture.ink.paper;
  context.strokeText(text, x, y);
  context.fillStyle = colour;
  context.fillText(text, x, y);
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
function writeRelations(
  context: CanvasRenderingContext2D,
  picture: Picture,
  edges: readonly Edge[],
  taken: Taken,
) {
  if (edges.length > MOST_WORDS) return;
  for (const edge of edges) {
    const curve = curveOf(picture, edge);
    const points = SHARES.map((share) => along(curve, share));
    const spot = placeWord(taken, points, picture.widthOf(edge.relation));
    if (spot) write(context, picture, edge.relation, spot.x, spot.y, picture.ink.accent);
  }
}

/** The order of nodes by importance, and the edges in parts, those between the most linked first; once for each graph. */
export function ranked(graph: Scene["graph"]) {
  const order = byLinks(graph);
  const links = (place: number) => graph.touching[place]?.length ?? 0;
  const weight = ({ from, to }: Edge) => Math.min(links(from), links(to));
  const edges = [...graph.edges].sort((a, b) => weight(b) - weight(a));
  const parts: Edge[][] = [];
  for (let at = 0; at === 0 || at < edges.length; at += PART) parts.push(edges.slice(at, at + PART));
  return { order, parts };
}

type Ranked = ReturnType<typeof ranked>;

/** Edges at rest: behind all else, and thin. */
function drawPart(
  context: CanvasRenderingContext2D,
  picture: Picture,
  edges: readonly Edge[],
  isLit: boolean,
) {
  const { graph, camera, ink } = picture;
  const isFew = graph.edges.length <= FEW;
  drawEdges(context, picture, edges, {
    colour: isLit || !isFew ? ink.line : ink.edge,
    // A line of one pixel of the screen is the only quick one without a graphics card.
    width: isFew ? 1 : 1 / (window.devicePixelRatio || 1),
    arrows: isFew && camera.scale > 0.35 && !isLit ? 8 : 0,
  });
}

/** Draws another part of the edges below what is there. True if there are more. */
export function drawMore(
  canvas: HTMLCanvasElement,
  picture: Picture,
  { parts }: Ranked,
  part: number,
): boolean {
  const context = canvas.getContext("2d");
  if (!context || part >= parts.length) return false;
  context.globalCompositeOperation = "destination-over";
  drawPart(context, picture, parts[part] ?? [], inFocus(picture) !== null);
  context.globalCompositeOperation = "source-over";
  return part + 1 < parts.length;
}

/** Draws the graph as it is in sight, with the first part of its edges. The others come with the next frames, if it rests. */
export function draw(canvas: HTMLCanvasElement, picture: Picture, { order, parts }: Ranked) {
  const { graph, size, ink, focus } = picture;
  const context = canvas.getContext("2d");
  if (!context || size.width <= 0) return;
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
  // To set a size clears the picture, and costs new memory.
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  context.font = ink.font;
  context.textBaseline = "middle";
  const lit = inFocus(picture);
  drawPart(context, picture, parts[0] ?? [], lit !== null);
  const bright = lit ? graph.edges.filter((_, at) => lit.edges.has(at)) : [];
  const seen = order.filter((place) => {
    const [x, y] = pointOf(picture, place);
    return x > -40 && y > -40 && x < size.width + 40 && y < size.height + 40;
  });
  // The most linked lie on top.
  seen.reverse();
  drawNodes(context, picture, lit ? seen.filter((place) => !lit.nodes.has(place)) : seen, lit !== null);
  if (lit) {
    drawEdges(context, picture, bright, { colour: ink.accent, width: 1.5, arrows: 9 });
    drawNodes(
      context,
      picture,
      seen.filter((place) => lit.nodes.has(place)),
      false,
    );
  }
  if (focus.hovered !== undefined) drawRing(context, picture, focus.hovered, 1.5);
  if (focus.selected !== undefined) drawRing(context, picture, focus.selected, 2.5);
  const taken = new Taken();
  const labels = labelsOf(picture, order, lit?.nodes ?? null, taken);
  writeRelations(context, picture, bright, taken);
  for (const { place, x, y } of labels) {
    const isFirst = place === focus.selected || place === focus.hovered;
    write(context, picture, graph.nodes[place]?.name ?? "", x, y, isFirst || lit ? ink.ink : ink.soft);
  }
}
