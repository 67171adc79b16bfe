// d3-force: 5 kB, the same picture for the same input, and a good one for the few dozen subjects that most worlds have.
// sigma with graphology is 43 kB, starts its worker from a blob, which the security policy of the window forbids, and took half
// a second a frame for 5,000 nodes and 10,000 edges without a graphics card, where the canvas took 30 ms.
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from "d3-force";

/** What a layout is made of: the number of nodes, and the ends of each link one after the other. */
export type LayoutInput = { count: number; ends: Int32Array };

export type Layout = {
  /** One more step. False when it is done. */
  step(): boolean;
  /** x and y of each node. */
  positions(): Float32Array;
};

/** A graph of more nodes is large: looser forces, fewer steps. */
export const LARGE = 1_000;
const SPACING = 24;
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** The order of a walk through each part of the graph, from its most linked node on: neighbours start near each other. */
function walk({ count, ends }: LayoutInput): number[] {
  const near: number[][] = Array.from({ length: count }, () => []);
  for (let at = 0; at < ends.length; at += 2) {
    const [a = 0, b = 0] = [ends[at], ends[at + 1]];
    near[a]?.push(b);
    near[b]?.push(a);
  }
  const links = (node: number) => near[node]?.length ?? 0;
  const starts = near.map((_, node) => node).sort((a, b) => links(b) - links(a) || a - b);
  const seen = new Set<number>();
  const order: number[] = [];
  for (const start of starts) {
    if (seen.has(start)) continue;
    seen.add(start);
    const queue = [start];
    // The queue grows while it is read.
    for (const node of queue) {
      order.push(node);
      for (const next of near[node] ?? [])
        if (!seen.has(next)) {
          seen.add(next);
          queue.push(next);
        }
    }
  }
  return order;
}

/** A layout by forces. It has no chance in it: the start is a spiral in the order of the walk. */
export function createLayout(input: LayoutInput): Layout {
  const { count, ends } = input;
  const isLarge = count > LARGE;
  const nodes: SimulationNodeDatum[] = Array.from({ length: count }, () => ({}));
  walk(input).forEach((node, rank) => {
    const radius = SPACING * Math.sqrt(0.5 + rank);
    nodes[node] = { x: radius * Math.cos(rank * GOLDEN), y: radius * Math.sin(rank * GOLDEN) };
  });
  const links = Array.from({ length: ends.length / 2 }, (_, at) => ({
    source: ends[2 * at] ?? 0,
    target: ends[2 * at + 1] ?? 0,
  }));
  const linked = new Set(ends);
  // What nothing holds would be pushed far out, and all else would be small.
  const pull = (strength: number) => (_: unknown, node: number) => (linked.has(node) ? 1 : 3) * strength;
  const steps = isLarge ? 120 : 300;
  const simulation = forceSimulation(nodes)
    .stop()
    .alphaDecay(1 - 0.001 ** (1 / steps))
    .force("link", forceLink(links).distance(isLarge ? 40 : 120))
    .force(
      "charge",
      isLarge
        ? forceManyBody().strength(-60).theta(1.2).distanceMax(1_200)
        : forceManyBody().strength(-420).distanceMax(900),
    )
    // Windows are wider than they are high.
    .force("x", forceX().strength(pull(0.045)))
    .force("y", forceY().strength(pull(0.075)));
  if (!isLarge) simulation.force("collide", forceCollide(30));
  let done = 0;
  return {
    step() {
      if (done >= steps) return false;
      simulation.tick();
      done += 1;
      return done < steps;
    },
    positions() {
      const at = new Float32Array(2 * count);
      nodes.forEach(({ x = 0, y = 0 }, node) => {
        at[2 * node] = x;
        at[2 * node + 1] = y;
      });
      return at;
    },
  };
}
