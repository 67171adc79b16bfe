import { toGraph, toScreen } from "./camera";
import { inFocus, litEdges, type Picture, RING } from "./draw";
import { along, curveOf, pointOf, radiusOf } from "./hit";
import { type Candidate, chooseLabels, type Label, placeWord, Taken } from "./labels";
import type { Edge, Graph } from "./model";

/** Names at most, and nodes that are asked for one. */
const MOST_LABELS = 160;
const MOST_ASKED = 900;
/** Relations with words on them, around one subject. */
const MOST_WORDS = 24;
/** Names where more nodes are in sight than are asked: a crowd of names would hide what it names. */
const LABELS_OF_MANY = 50;

/** A picture with what its texts need. */
export type Named = Picture & {
  graph: Graph;
  /** The most linked nodes first. */
  order: readonly number[];
  widthOf(text: string): number;
};

/** A text at a point of the graph, and how far from that its left end is, in pixels. It keeps its size when the camera moves. */
export type Text = { text: string; colour: string; x: number; y: number; dx: number; dy: number };

/** Letters with the colour of the paper around them. */
export function writeTexts(
  context: CanvasRenderingContext2D,
  texts: readonly Text[],
  { camera, size, ink }: Pick<Picture, "camera" | "size" | "ink">,
): void {
  context.font = ink.font;
  context.textBaseline = "middle";
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
function labelsOf(picture: Named, lit: Set<number> | null, taken: Taken): Label[] {
  const { graph, camera, size, focus, order } = picture;
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
function wordsOf(picture: Named, edges: readonly Edge[], taken: Taken): Text[] {
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
export function textsOf(picture: Named): Text[] {
  const { graph, positions, focus, ink } = picture;
  const lit = inFocus(picture);
  const taken = new Taken();
  const labels = labelsOf(picture, lit?.nodes ?? null, taken);
  const words = lit ? wordsOf(picture, litEdges(graph, lit), taken) : [];
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
