import type { Size } from "./camera";
import { type Context, type Picture, paint, type Ranked } from "./draw";
import type { Line, Outline } from "./model";

export type Wanted = Picture & {
  /** The size of what is shown of it in the end. */
  visible: Size;
  /** Edges at most, the most important ones. */
  most: number;
};

/** A graph without its texts, as it goes to the worker. */
export type Sent = { kinds: string[]; ends: Int32Array; bends: Float32Array };
/** What is to be known, and to be drawn of it. What the worker has from the order before is left out. */
export type Order = {
  graph?: Sent | undefined;
  positions?: Float32Array | undefined;
  picture?: Omit<Wanted, "graph" | "positions">;
};

export function drawWanted(context: Context, wanted: Wanted, { order, edges }: Ranked): void {
  paint(context, wanted, { order, edges: edges.slice(0, wanted.most) }, wanted.visible);
}

export const sentOf = ({ nodes, edges }: Outline): Sent => ({
  kinds: nodes.map(({ kind }) => kind),
  ends: Int32Array.from(edges.flatMap(({ from, to }) => [from, to])),
  bends: Float32Array.from(edges, ({ bend }) => bend),
});

/** The graph that was sent. */
export function outlineOf({ kinds, ends, bends }: Sent): Outline {
  const touching: number[][] = kinds.map(() => []);
  const edges = Array.from(bends, (bend, at): Line => {
    const [from = 0, to = 0] = [ends[2 * at], ends[2 * at + 1]];
    touching[from]?.push(at);
    if (from !== to) touching[to]?.push(at);
    return { from, to, bend };
  });
  return { nodes: kinds.map((kind) => ({ kind })), edges, touching };
}
