import { type Camera, type Size, toGraph, toScreen } from "./camera";
import type { Line, Outline } from "./model";

/** How near the pointer must be, in pixels. */
const NEAR_NODE = 4;
const NEAR_EDGE = 5;
/** How far curves of one pair are apart, in pixels. */
const CURVE = 26;

/** Farther from its middle no node is hit, in pixels: it is more than the largest radius. */
const FARTHEST = 48;

export type Scene = { graph: Outline; positions: Float32Array; camera: Camera; size: Size };

/** The radius of a node in pixels: the more linked the larger, and smaller from afar. */
export function radiusOf(links: number, scale: number): number {
  const near = Math.min(1.35, Math.max(0.3, scale ** 0.75));
  return Math.max(2, (5.5 + 1.5 * Math.sqrt(Math.min(links, 64))) * near);
}

export const pointOf = ({ positions, camera, size }: Scene, place: number) =>
  toScreen(camera, size, positions[2 * place] ?? 0, positions[2 * place + 1] ?? 0);

export type Curve = { x1: number; y1: number; cx: number; cy: number; x2: number; y2: number };

/** An edge as a curve in the picture, with one control point. */
export function curveOf(scene: Scene, { from, to, bend }: Line): Curve {
  const [x1, y1] = pointOf(scene, from);
  const [x2, y2] = pointOf(scene, to);
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  // To the same side whichever way the relation goes, or two that answer each other would lie on one another.
  const side = (from < to ? 1 : -1) * bend * Math.min(2 * CURVE, length / 2.5);
  return {
    x1,
    y1,
    cx: (x1 + x2) / 2 - ((y2 - y1) / length) * side,
    cy: (y1 + y2) / 2 + ((x2 - x1) / length) * side,
    x2,
    y2,
  };
}

/** The point of a curve at a share of its way. */
export function along({ x1, y1, cx, cy, x2, y2 }: Curve, share: number): [number, number] {
  const rest = 1 - share;
  const mix = (a: number, b: number, c: number) => rest * rest * a + 2 * rest * share * b + share * share * c;
  return [mix(x1, cx, x2), mix(y1, cy, y2)];
}

/** The node under a point of the picture, the nearest one. */
export function nodeAt(scene: Scene, x: number, y: number): number | undefined {
  let found: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  const { positions, camera } = scene;
  const [graphX, graphY] = toGraph(camera, scene.size, x, y);
  const far = FARTHEST / camera.scale;
  scene.graph.touching.forEach((links, place) => {
    if (Math.abs((positions[2 * place] ?? 0) - graphX) > far) return;
    if (Math.abs((positions[2 * place + 1] ?? 0) - graphY) > far) return;
    const [atX, atY] = pointOf(scene, place);
    const distance = Math.hypot(x - atX, y - atY);
    if (distance > radiusOf(links.length, scene.camera.scale) + NEAR_NODE || distance >= least) return;
    found = place;
    least = distance;
  });
  return found;
}

function distanceTo(x: number, y: number, [ax, ay]: [number, number], [bx, by]: [number, number]): number {
  const length = (bx - ax) ** 2 + (by - ay) ** 2;
  const share = length === 0 ? 0 : ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length;
  const on = Math.min(1, Math.max(0, share));
  return Math.hypot(x - ax - on * (bx - ax), y - ay - on * (by - ay));
}

/** The edge under a point of the picture. */
export function edgeAt(scene: Scene, x: number, y: number): number | undefined {
  let found: number | undefined;
  let least = NEAR_EDGE;
  const { positions, camera } = scene;
  const [graphX, graphY] = toGraph(camera, scene.size, x, y);
  /** No curve is farther from the line between its ends. */
  const reach = (sides: number) => (NEAR_EDGE + 2 * CURVE * Math.abs(sides)) / camera.scale;
  const isBetween = (at: number, one: number, other: number, room: number) =>
    at > Math.min(one, other) - room && at < Math.max(one, other) + room;
  scene.graph.edges.forEach((edge, at) => {
    const room = reach(edge.bend);
    const [from, to] = [2 * edge.from, 2 * edge.to];
    if (!isBetween(graphX, positions[from] ?? 0, positions[to] ?? 0, room)) return;
    if (!isBetween(graphY, positions[from + 1] ?? 0, positions[to + 1] ?? 0, room)) return;
    const curve = curveOf(scene, edge);
    const pieces = edge.bend === 0 ? 1 : 8;
    for (let piece = 0; piece < pieces; piece += 1) {
      const distance = distanceTo(x, y, along(curve, piece / pieces), along(curve, (piece + 1) / pieces));
      if (distance >= least) continue;
      found = at;
      least = distance;
    }
  });
  return found;
}

/** The direction of each arrow key. */
const WAYS: Record<string, [number, number]> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

/** Which of these nodes is best reached from a place with an arrow key: near, and in its direction. */
export function towards(
  key: string,
  positions: Float32Array,
  place: number,
  others: readonly number[],
): number | undefined {
  const way = WAYS[key];
  if (!way) return undefined;
  let found: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const other of others) {
    const x = (positions[2 * other] ?? 0) - (positions[2 * place] ?? 0);
    const y = (positions[2 * other + 1] ?? 0) - (positions[2 * place + 1] ?? 0);
    const distance = Math.hypot(x, y) || 1;
    const ahead = (x * way[0] + y * way[1]) / distance;
    // Within 60° of the key, so that every direction belongs to one key at least.
    if (other === place || ahead < 0.5) continue;
    const cost = distance * (2 - ahead);
    if (cost >= least) continue;
    found = other;
    least = cost;
  }
  return found;
}
